extension LivePages {
  static let cameraStyle = #"""
    :root { color-scheme: light dark; }
    body { margin: 0 auto; max-width: 720px; padding: 16px; font: 1.05rem/1.45 system-ui, sans-serif; }
    video { width: 100%; border-radius: 14px; background: #0b0c0b; }
    button, input::file-selector-button { font: inherit; padding: .5em 1em; }
    label { display: block; margin: 1em 0; }
    #roll { font-size: 1.6rem; font-weight: 650; }
    """#

  static let cameraBody = #"""
    <h1>Dice camera</h1>
    <video id="video" playsinline muted></video>
    <p id="state" role="status"></p>
    <p id="roll" aria-live="polite"></p>
    <p><button id="start">Use the camera</button> <button id="stop" hidden>Stop</button></p>
    <label>A photo of dice at rest:
      <input id="photo" type="file" accept="image/jpeg,image/png" capture="environment"></label>
    <label>A film of a roll:
      <input id="film" type="file" accept="video/*" capture="environment"></label>
    """#

  static let cameraScript = #"""
    const video = $("video");
    const say = (text) => { $("state").textContent = text; };
    let socket = null;
    let isSending = false;
    if (!navigator.mediaDevices) {
      $("start").disabled = true;
      say("This browser opens its camera only on localhost or over https. " +
        "Take a photo or a film instead.");
    }
    const connect = () => {
      const address = at("socket");
      address.protocol = address.protocol === "https:" ? "wss:" : "ws:";
      socket = new WebSocket(address);
      socket.onmessage = (message) => {
        const event = JSON.parse(message.data);
        if (event.event === "rollEnded" || event.event === "resultRevised") {
          $("roll").textContent = event.values.join(" ") + (event.values.length > 1
            ? ", sum " + event.sum : "");
        }
      };
      socket.onclose = () => setTimeout(connect, 2000);
    };
    connect();
    const canvas = document.createElement("canvas");
    // Sends the frame that is shown, unless the one before is still on its way.
    const send = () => new Promise((done) => {
      if (!socket || socket.readyState !== 1 || socket.bufferedAmount > 0 || !video.videoWidth) {
        done();
        return;
      }
      const scale = Math.min(1, 1280 / Math.max(video.videoWidth, video.videoHeight));
      canvas.width = Math.round(video.videoWidth * scale);
      canvas.height = Math.round(video.videoHeight * scale);
      canvas.getContext("2d").drawImage(video, 0, 0, canvas.width, canvas.height);
      canvas.toBlob((picture) => { if (picture) socket.send(picture); done(); }, "image/jpeg", 0.85);
    });
    const go = async () => {
      isSending = true;
      $("stop").hidden = false;
      let next = performance.now();
      while (isSending && !video.ended) {
        await send();
        next = Math.max(next + 1000 / 15, performance.now());
        await new Promise((done) => setTimeout(done, next - performance.now()));
      }
      if (video.ended) say("The film has been sent.");
      $("stop").hidden = true;
    };
    const halt = () => {
      isSending = false;
      for (const track of video.srcObject?.getTracks() ?? []) track.stop();
      video.srcObject = null;
    };
    $("start").onclick = async () => {
      try {
        halt();
        video.srcObject = await navigator.mediaDevices.getUserMedia({ audio: false,
          video: { facingMode: "environment", width: { ideal: 1280 }, height: { ideal: 720 } } });
        await video.play();
        say("The camera is on.");
        go();
      } catch (error) {
        say("The camera cannot be used: " + error.message);
      }
    };
    $("stop").onclick = () => { halt(); video.pause(); say(""); };
    $("photo").onchange = async (event) => {
      const file = event.target.files[0];
      if (!file) return;
      say("Sending the photo.");
      const answer = await fetch(at("photo"), { method: "POST", body: file });
      say(answer.ok ? "The photo is read." : (await answer.json()).error);
    };
    $("film").onchange = async (event) => {
      const file = event.target.files[0];
      if (!file) return;
      halt();
      video.src = URL.createObjectURL(file);
      await video.play();
      say("Playing and sending the film.");
      go();
    };
    """#
}

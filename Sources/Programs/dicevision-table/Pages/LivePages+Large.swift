extension LivePages {
  static let largeStyle = #"""
    body { margin: 0; min-height: 100vh; display: flex; flex-direction: column; background: #000;
      color: #ffe600; font: 700 1.6rem/1.3 system-ui, sans-serif; }
    body.light { background: #fff; color: #000; }
    main { flex: 1; display: grid; place-content: center; text-align: center; padding: 2vmin; }
    #values { font-size: min(34vmin, 30vw); line-height: 1.05; margin: 0; }
    #sum { font-size: min(16vmin, 14vw); margin: 0; }
    nav { display: flex; flex-wrap: wrap; gap: 12px; padding: 16px; }
    button, select { font: inherit; color: inherit; background: none; border: 3px solid currentColor;
      border-radius: 12px; padding: .4em .8em; }
    option { color: #000; }
    button[aria-pressed="true"] { background: #ffe600; color: #000; }
    :focus-visible { outline: 5px solid #4af; outline-offset: 3px; }
    """#

  static let largeBody = #"""
    <main><p id="values">–</p><p id="sum">No roll yet</p></main>
    <p id="said" aria-live="assertive" style="position:absolute;left:-9999px"></p>
    <nav>
      <button id="voice" aria-pressed="false">Speak</button>
      <button id="again">Say it again</button>
      <button id="colors">Colours</button>
      <label>Speed <select id="rate">
        <option value="0.7">slow</option><option value="1" selected>normal</option>
        <option value="1.4">fast</option></select></label>
    </nav>
    """#

  static let largeScript = #"""
    let roll = null;
    let speaks = false;
    // A voice is heard only after a click or a key: so browsers will have it.
    const speak = (text) => {
      $("said").textContent = speaks ? "" : text;
      if (!speaks || !window.speechSynthesis) return;
      speechSynthesis.cancel();
      const words = new SpeechSynthesisUtterance(text);
      words.rate = Number($("rate").value);
      words.lang = new URLSearchParams(location.search).get("lang") ?? "en";
      speechSynthesis.speak(words);
    };
    const words = () => {
      if (!roll) return "No roll yet";
      if (!roll.values.length) return "No dice";
      const all = diceOf(roll).map((die) => die.alternatives
        ? die.value + " or " + die.alternatives.map((other) => other.value).join(" or ") : die.value);
      return all.join(", ") + (all.length > 1 ? ". Sum " + total(roll) + "." : ".");
    };
    const show = (found, says) => {
      roll = found;
      $("values").textContent = diceOf(roll).map(shown).join(" ") || "–";
      $("sum").textContent = roll.values.length > 1 ? "Sum " + total(roll) : "";
      if (says) speak(words());
    };
    $("voice").onclick = () => {
      speaks = !speaks;
      $("voice").setAttribute("aria-pressed", String(speaks));
      if (speaks) speak(words()); else window.speechSynthesis?.cancel();
    };
    $("again").onclick = () => speak(words());
    $("colors").onclick = () => document.body.classList.toggle("light");
    addEventListener("keydown", (event) => {
      if (event.target === document.body && event.key === " ") {
        event.preventDefault();
        speak(words());
      }
    });
    listen("events", (event) => {
      switch (event.event) {
      case "state": if (event.roll) show(event.roll, false); break;
      case "rollEnded": show(event, true); break;
      case "resultRevised": show(event, false); speak("Now " + words()); break;
      case "rollStarted": $("sum").textContent = "Rolling"; break;
      case "sourceLost": speak("The camera is lost."); break;
      case "sourceFound": speak("The camera is back."); break;
      }
    }, (isLost) => { if (isLost) $("sum").textContent = "The connection is lost"; });
    """#
}

// Where frames come from: a camera, a film, or pictures one after another.
//
// Each starts at once and calls `onFrame(image, seconds)` for every frame that is shown. What it returns
// stops it.

/** Frames of a video element that plays. */
function watch(video, clock, onFrame) {
  let isOver = false;
  const next = (now, frame) => {
    if (isOver) return;
    if (video.videoWidth > 0 && !video.paused) onFrame(video, clock(now, frame));
    ask();
  };
  const ask = () =>
    video.requestVideoFrameCallback
      ? video.requestVideoFrameCallback(next)
      : requestAnimationFrame((now) => next(now, { mediaTime: video.currentTime }));
  ask();
  return () => {
    isOver = true;
  };
}

/** Keeps the screen on until the returned function is called; a page that was hidden asks anew. */
function keepAwake() {
  let isOver = false;
  let lock = null;
  const ask = async () => {
    if (document.visibilityState !== "visible") return;
    lock = await navigator.wakeLock?.request("screen").catch(() => null);
    if (isOver) lock?.release();
  };
  document.addEventListener("visibilitychange", ask);
  ask();
  return () => {
    isOver = true;
    document.removeEventListener("visibilitychange", ask);
    lock?.release();
  };
}

/** The frames of a camera; `onEnd` is called where it is taken away. */
export async function startCamera(video, deviceId, onFrame, onEnd) {
  if (!navigator.mediaDevices?.getUserMedia) throw new DOMException("", "SecurityError");
  const stream = await navigator.mediaDevices.getUserMedia({
    audio: false,
    video: {
      ...(deviceId ? { deviceId: { exact: deviceId } } : { facingMode: "environment" }),
      width: { ideal: 1280 }, height: { ideal: 720 }, frameRate: { ideal: 30 },
    },
  });
  const [track] = stream.getVideoTracks();
  track.addEventListener("ended", onEnd);
  video.controls = false;
  video.srcObject = stream;
  let ignore = () => {};
  const unlock = keepAwake();
  const stop = () => {
    ignore();
    unlock();
    for (const each of stream.getTracks()) each.stop();
    // Another camera may have come meanwhile.
    if (video.srcObject === stream) video.srcObject = null;
  };
  try {
    await video.play();
  } catch (error) {
    stop();
    throw error;
  }
  ignore = watch(video, (now) => now / 1000, onFrame);
  return { stop, deviceId: track.getSettings().deviceId };
}

/** The frames of a film that was opened; `onSeek` is called where it goes on elsewhere. */
export async function startFilm(video, file, onFrame, onSeek) {
  const address = URL.createObjectURL(file);
  video.controls = true;
  video.src = address;
  video.addEventListener("seeking", onSeek);
  const stop = () => {
    ignore();
    video.removeEventListener("seeking", onSeek);
    if (video.src === address) {
      video.pause();
      video.removeAttribute("src");
      video.load();
      video.controls = false;
    }
    URL.revokeObjectURL(address);
  };
  const ignore = watch(video, (_, frame) => frame.mediaTime, onFrame);
  try {
    await video.play();
  } catch (error) {
    stop();
    throw error;
  }
  return { stop };
}

/** Pictures of equal size in a row, so many a second. */
export function startPictures(canvas, blobs, rate, onFrame) {
  let isOver = false;
  const begin = performance.now();
  const next = async (shown) => {
    const due = Math.min(blobs.length - 1, Math.floor(((performance.now() - begin) / 1000) * rate));
    if (isOver) return;
    if (due > shown) {
      const bitmap = await createImageBitmap(blobs[due]);
      if (isOver) return;
      show(canvas, bitmap);
      onFrame(bitmap, due / rate);
    }
    if (due < blobs.length - 1) requestAnimationFrame(() => next(due));
  };
  next(-1);
  return {
    stop: () => {
      isOver = true;
    },
  };
}

/** Puts a picture on a canvas. */
export function show(canvas, bitmap) {
  [canvas.width, canvas.height] = [bitmap.width, bitmap.height];
  canvas.getContext("2d", { alpha: false }).drawImage(bitmap, 0, 0);
}

/** Cameras by name, once one has been allowed. */
export async function cameras() {
  const devices = (await navigator.mediaDevices?.enumerateDevices?.()) ?? [];
  return devices.filter((device) => device.kind === "videoinput" && device.deviceId);
}

/** Why a camera does not start, and what can be done. */
export function cameraProblem(error) {
  switch (error.name) {
    case "NotAllowedError":
      return "The camera was refused. Allow it in the browser’s settings for this page and press "
        + "Camera again, or open a picture.";
    case "NotFoundError":
    case "OverconstrainedError":
      return "There is no camera here. Open a picture or a film instead.";
    case "NotReadableError":
      return "Another program uses the camera. Close it and press Camera again.";
    case "SecurityError":
      return "Browsers give cameras only to pages that come over https or from this computer.";
    default:
      return `The camera does not start: ${error.message || error.name}.`;
  }
}

// Says so where the game's code does not arrive, or is not understood. No part of that code: a script that old
// browsers understand, too.

addEventListener("error", ({ target, filename }) => {
  const button = document.getElementById("begin");
  const isScript = target instanceof HTMLScriptElement || (filename || "").startsWith(location.origin);
  if (!isScript || !button || !button.disabled) return;
  const sentences = {
    de: "Das Spiel wurde nicht geladen, oder dieser Browser ist zu alt. Lade die Seite neu.",
    es: "El juego no se ha cargado, o este navegador es demasiado antiguo. Vuelve a cargar la página.",
    en: "The game did not load, or this browser is too old. Load the page again.",
  };
  button.classList.add("broken");
  button.textContent = sentences[navigator.language.slice(0, 2)] || sentences.en;
}, true);

extension LivePages {
  static let overlayStyle = #"""
    html, body { margin: 0; height: 100%; background: transparent; overflow: hidden; }
    #roll { position: absolute; inset: auto 0 0 0; padding: 4vmin; display: flex;
      align-items: center; gap: 2vmin; opacity: 0; transform: translateY(6vmin);
      transition: opacity .3s, transform .3s; --size: 16vmin; }
    #roll.shown { opacity: 1; transform: none; }
    .top #roll { inset: 0 0 auto 0; }
    .right #roll { justify-content: flex-end; } .center #roll { justify-content: center; }
    #sum { font: 700 14vmin/1 system-ui, sans-serif; color: var(--text, #fff);
      text-shadow: 0 .3vmin 1.2vmin var(--shade, #000c), 0 0 .4vmin var(--shade, #000c); }
    .die { box-shadow: 0 .6vmin 2vmin #0008; margin: 0; }
    .dark { --face: #1d1f1b; --pip: #f3f1ea; }
    .gold { --face: #2a1c05; --pip: #f3c64b; --text: #f3c64b; }
    .neon { --face: #0b0418; --pip: #2ff3e0; --text: #ff4fd8; }
    .neon .die { box-shadow: 0 0 2vmin #2ff3e0; border: .4vmin solid #2ff3e0; }
    .plain .die { background: none; box-shadow: none; color: #fff; border: .5vmin solid #fff; }
    @media (prefers-reduced-motion: reduce) { #roll { transition: none; transform: none; } }
    """#

  static let overlayBody = #"""
    <div id="roll" role="status"><span id="dice"></span><span id="sum"></span></div>
    """#

  static let overlayScript = #"""
    const wish = new URLSearchParams(location.search);
    for (const [name, known] of [["theme", ["light", "dark", "gold", "neon", "plain"]],
      ["place", ["left", "center", "right"]], ["edge", ["top", "bottom"]]]) {
      if (known.includes(wish.get(name))) document.body.classList.add(wish.get(name));
    }
    const seconds = Number(wish.get("seconds"));
    let timer = 0;
    const hide = () => $("roll").classList.remove("shown");
    const show = (roll) => {
      $("dice").replaceChildren(...diceOf(roll).map(drawn));
      $("sum").textContent = roll.values.length > 1 ? total(roll) : "";
      $("roll").classList.add("shown");
      clearTimeout(timer);
      if (seconds > 0) timer = setTimeout(hide, 1000 * seconds);
    };
    listen("events", (event) => {
      switch (event.event) {
      case "state": if (event.roll && event.phase === "ended") show(event.roll); break;
      case "rollEnded": case "resultRevised": show(event); break;
      case "rollStarted": case "cleared": case "rollAbandoned": hide(); break;
      }
    }, () => {});
    """#
}

extension LivePages {
  static let tableStyle = #"""
    :root { color-scheme: light dark; --line: light-dark(#dedad1, #31352f);
      --quiet: light-dark(#5a5d55, #a0a59a); --accent: light-dark(#0d7a5f, #3fc79d); }
    body { margin: 0 auto; max-width: 1180px; padding: 16px; background: light-dark(#f4f2ee, #131512);
      color: light-dark(#1d1f1b, #eceee8); font: 1rem/1.45 system-ui, sans-serif; }
    main { display: grid; gap: 16px 24px; grid-template-columns: minmax(0, 2fr) minmax(260px, 1fr); }
    @media (max-width: 760px) { main { grid-template-columns: 1fr; } }
    h1 { font-size: 1.25rem; } h2 { font-size: 1rem; margin: 1.2em 0 .3em; color: var(--quiet); }
    #stage { position: relative; background: #0b0c0b; border-radius: 14px; overflow: hidden;
      aspect-ratio: 16 / 9; }
    #stage img, #stage canvas { position: absolute; inset: 0; width: 100%; height: 100%; }
    #sum { font-size: 2rem; font-weight: 650; }
    #state { color: var(--quiet); }
    #state.lost { color: light-dark(#a32014, #ff9a8f); font-weight: 600; }
    .die { border: 1px solid var(--line); }
    ol { margin: 0; padding: 0; list-style: none; max-height: 40vh; overflow: auto; }
    li { padding: .2em 0; border-bottom: 1px solid var(--line); }
    li b { float: right; } meter { width: 100%; }
    table { width: 100%; border-collapse: collapse; } td:last-child { text-align: right; }
    a { color: var(--accent); }
    """#

  static let tableBody = #"""
    <h1>Dice</h1>
    <main>
      <div>
        <div id="stage"><img id="picture" alt="The table"><canvas id="boxes"></canvas></div>
        <p id="state" role="status">Waiting for the first event.</p>
        <p><a id="overlay">Overlay</a> · <a id="large">Large type and speech</a></p>
      </div>
      <div>
        <h2>Roll</h2>
        <div id="dice"></div>
        <div id="sum" aria-live="polite">No roll yet</div>
        <h2>Totals</h2>
        <table><tbody id="totals"></tbody></table>
        <h2>History</h2>
        <ol id="history"></ol>
      </div>
    </main>
    """#

  static let tableScript = #"""
    for (const name of ["overlay", "large"]) $(name).href = at(name);
    $("picture").src = at("picture.mjpeg");
    // A browser that shows no streams of pictures gets one after the other.
    $("picture").onerror = () => setTimeout(() => {
      $("picture").src = at("picture.jpg?" + Date.now());
      $("picture").onload = () => setTimeout(() => $("picture").onerror(), 100);
    }, 1000);
    const counts = new Map();
    let last = null;
    const say = (text, isLost) => {
      $("state").textContent = text;
      $("state").className = isLost ? "lost" : "";
    };
    const show = (roll) => {
      $("dice").replaceChildren(...diceOf(roll).map(drawn));
      $("sum").textContent = roll.values.length ? "Sum " + total(roll) : "No dice";
    };
    // By number, of dice that have not six sides with their kind.
    const count = (roll, step) => {
      for (const die of diceOf(roll)) {
        const name = die.kind && die.kind !== "d6" ? die.kind + " " + die.face : String(die.value);
        counts.set(name, (counts.get(name) ?? 0) + step);
      }
    };
    const showTotals = () => {
      const all = [...counts].filter((pair) => pair[1] > 0)
        .sort((a, b) => a[0].localeCompare(b[0], "en", { numeric: true }));
      const most = Math.max(1, ...all.map((pair) => pair[1]));
      $("totals").replaceChildren(...all.map(([name, number]) => {
        const row = document.createElement("tr");
        const bar = document.createElement("meter");
        bar.max = most;
        bar.value = number;
        for (const part of [name, bar, number]) row.insertCell().append(part);
        return row;
      }));
    };
    const add = (roll) => {
      const line = document.createElement("li");
      const sum = document.createElement("b");
      sum.textContent = total(roll);
      line.append([roll.roll, roll.notation, " "].filter(Boolean).join(": ")
        + diceOf(roll).map(shown).join(" "), sum);
      $("history").prepend(line);
      if ($("history").children.length > 200) $("history").lastChild.remove();
    };
    const load = async () => {
      const known = await (await fetch(at("history"))).json();
      counts.clear();
      for (const [name, number] of Object.entries(known.totals)) counts.set(name, number);
      $("history").replaceChildren();
      for (const roll of known.rolls) { add(roll); last = roll; }
      if (last) show(last);
      showTotals();
    };
    const draw = (frame) => {
      const canvas = $("boxes");
      if (!frame.width) return;
      $("stage").style.aspectRatio = frame.width + " / " + frame.height;
      const scale = canvas.clientWidth * devicePixelRatio / frame.width;
      canvas.width = Math.round(frame.width * scale);
      canvas.height = Math.round(frame.height * scale);
      const ink = canvas.getContext("2d");
      ink.lineWidth = 2.5 * devicePixelRatio;
      ink.font = "600 " + 16 * devicePixelRatio + "px system-ui, sans-serif";
      for (const die of frame.dice) {
        const [x, y] = [die.box.x * scale, die.box.y * scale];
        const label = die.value === null ? "?" : shown(die);
        ink.strokeStyle = die.value === null ? "#ffffff" : "#3fc79d";
        ink.strokeRect(x, y, die.box.width * scale, die.box.height * scale);
        const size = 22 * devicePixelRatio;
        ink.fillStyle = ink.strokeStyle;
        ink.fillRect(x, y - size, Math.max(size, ink.measureText(label).width + size / 2), size);
        ink.fillStyle = "#06231a";
        ink.fillText(label, x + size / 4, y - size / 4);
      }
    };
    listen("events?frames=1", (event) => {
      switch (event.event) {
      case "frame":
        draw(event);
        say(event.phase === "rolling" ? "Rolling" : event.dice.length ? "At rest" : "No dice", false);
        break;
      case "state": load(); break;
      case "rollEnded": last = event; count(event, 1); add(event); show(event); showTotals();
        break;
      case "resultRevised":
        if (last) count(last, -1);
        if ($("history").firstChild) $("history").firstChild.remove();
        last = event; count(event, 1); add(event); show(event); showTotals();
        break;
      case "sourceLost": say("The camera is lost: " + event.message, true); break;
      case "sourceFound": say("The camera is back.", false); break;
      case "sourceEnded": say("The film has ended.", false); break;
      }
    }, (isLost) => { if (isLost) say("The connection is lost.", true); });
    """#
}

// Fills a roll that waits for dice with those that lie on the table. Foundry VTT 12 or later.

const METHOD = "dice-table";

// A die of another kind says so; without a word it has six sides.
const fill = (die) => {
  const kind = die.kind ?? "d6";
  return Roll.registerResult(METHOD, kind, die.value) || Roll.registerResult("manual", kind, die.value);
};

Hooks.once("init", () => {
  game.settings.register(METHOD, "address", {
    name: "Address of the events",
    hint: "As dicevision live prints it, with /events behind it.",
    scope: "client", config: true, type: String, default: "http://127.0.0.1:8484/events",
    requiresReload: true,
  });
  CONFIG.Dice.fulfillment.methods[METHOD] = {
    label: "Dice table", icon: '<i class="fa-solid fa-dice"></i>', interactive: true,
  };
});

Hooks.once("ready", () => {
  const source = new EventSource(game.settings.get(METHOD, "address"));
  source.onmessage = (message) => {
    const event = JSON.parse(message.data);
    if (event.event !== "rollEnded") return;
    const filled = event.dice.filter((die) => die.value !== null && fill(die)).length;
    if (filled === 0) ui.notifications.info("Rolled " + event.values.join(" ") + ": no roll waits.");
  };
});

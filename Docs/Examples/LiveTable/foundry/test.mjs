// Runs the module in stand-ins for what it uses of Foundry VTT, with the events of a real table: in Node, or in a
// browser.
//
//     node test.mjs ADDRESS

const isNode = typeof process !== "undefined";
const address = isNode ? process.argv[2] : new URLSearchParams(location.search).get("address");

// Two dice of six sides are waited for by the module's method, one by hand.
const waiting = { "dice-table": 2, manual: 1 };
const hooks = {};
const told = [];
const finish = () => {
  if (!isNode) fetch("/report", { method: "POST", body: told.join("\n") });
  else console.log(told.join("\n")), process.exit(0);
};
globalThis.Hooks = { once: (name, call) => { hooks[name] = call; } };
globalThis.CONFIG = { Dice: { fulfillment: { methods: {} } } };
globalThis.game = {
  settings: {
    register: (module, name) => { told.push("setting " + module + "." + name); },
    get: () => address,
  },
};
globalThis.ui = { notifications: { info: (text) => { told.push(text); } } };
globalThis.Roll = {
  registerResult: (method, denomination, result) => {
    if (denomination !== "d6" || !waiting[method]) return false;
    waiting[method] -= 1;
    told.push(method + " " + denomination + " " + result);
    if (waiting["dice-table"] + waiting.manual === 0) finish();
    return true;
  },
};

// As much of an EventSource as is needed; as a browser does, it names the site that the page is of.
globalThis.EventSource ??= class {
  constructor(address) {
    const headers = { Origin: "http://localhost:30000" };
    import("node:http").then((http) => http.get(address, { headers }, (answer) => {
      if (answer.headers["access-control-allow-origin"] !== headers.Origin) {
        throw new Error("The page may not read the events: " + answer.statusCode);
      }
      let text = "";
      answer.setEncoding("utf8");
      answer.on("data", (piece) => {
        const parts = (text + piece).split("\n\n");
        text = parts.pop();
        for (const part of parts) {
          const data = part.split("\n").filter((line) => line.startsWith("data: "));
          if (data.length) this.onmessage({ data: data.map((line) => line.slice(6)).join("\n") });
        }
      });
    }));
  }
};

await import("./dice-table.js");
hooks.init();
if (!CONFIG.Dice.fulfillment.methods["dice-table"]) throw new Error("no method");
hooks.ready();
if (isNode) setTimeout(() => { console.error(told); process.exit(1); }, 20000);

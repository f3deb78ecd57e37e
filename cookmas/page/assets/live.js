/* A run that is going on: what happens comes as it happens, and guests can order. */

/** Feed a film from the server; the browser connects again by itself and says where it was. */
function listen(server, film, told) {
  const source = new EventSource(server.events);
  let fresh = film;
  let timer = null;
  source.addEventListener("entry", (event) => {
    fresh.push(JSON.parse(event.data));
    timer ??= setTimeout(() => { timer = null; told.grown(fresh); }, 50);
  });
  source.addEventListener("again", () => { fresh = new Film(); });
  source.addEventListener("over", (event) => { source.close(); told.state(JSON.parse(event.data).why); });
  source.addEventListener("open", () => told.state("connected"));
  source.addEventListener("error", () => told.state("connecting again"));
}

/** A form for a message to the kitchen; `fields` are {name, label, placeholder, list}. */
function messageForm(server, title, kind, fields, answered) {
  const inputs = fields.map((field) => h("input", { name: field.name, id: `${kind}-${field.name}`, required: true, maxlength: 600, autocomplete: "off", placeholder: field.placeholder, list: field.list }));
  const button = h("button", { type: "submit" }, title);
  const submit = async (event) => {
    event.preventDefault();
    button.setAttribute("disabled", "");
    const message = Object.fromEntries(inputs.map((input) => [input.name, input.value]));
    const answer = await send(server.messages, { kind, ...message });
    button.removeAttribute("disabled");
    answered(answer);
    if (!isLost(answer)) for (const input of inputs) if (input.value === message[input.name]) input.value = "";
  };
  return h("form", { onsubmit: submit }, fields.map((field, i) => h("label", { for: `${kind}-${field.name}` }, field.label, inputs[i])), button);
}

/** What the server answers, to a message where there is one; only `why` where it does not answer. */
async function request(where, message) {
  const written = message && { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(message) };
  try {
    return await (await fetch(where, written)).json();
  } catch {
    return { why: "the server does not answer" };
  }
}

/** Whether nothing comes of a message. */
const isLost = (answer) => ["refused", "withdrawn"].includes(answer.status);

async function send(where, message) {
  return { status: "refused", ...await request(where, message) };
}

/** Order, change and cancel; only where the kitchen takes messages, and as long as it is open. */
function guestPanel(server, film) {
  if (!server.messages) return null;
  const said = h("p", { class: "answered", role: "status" });
  const answered = (answer) => {
    const words = answer.status === "refused" ? `refused: ${answer.why}` : `${spoken(answer.status)}${answer.about ? `: ${answer.about}` : ""}`;
    fill(said, words);
    said.className = `answered ${isLost(answer) ? "bad" : "good"}`;
  };
  const dishes = h("datalist", { id: "dishes" }, (film.run.setup.menu ?? []).map((item) => h("option", { value: item })));
  const element = h("div", { class: "guest" }, dishes,
    messageForm(server, "Order", "order", [{ name: "words", label: "Order, in words", placeholder: "2 Classic Burger: no onion; 1 French Fries", list: "dishes" }], answered),
    h("details", {}, h("summary", {}, "Add to, change or cancel an order"),
      messageForm(server, "Add", "add", [{ name: "order", label: "Order", placeholder: "live1" }, { name: "words", label: "What", placeholder: "1 Garden Salad" }], answered),
      messageForm(server, "Change", "change", [{ name: "line", label: "Line", placeholder: "live1.2" }, { name: "note", label: "New words", placeholder: "medium, please" }], answered),
      messageForm(server, "Cancel", "cancel", [{ name: "name", label: "Order or line", placeholder: "live1" }], answered)),
    h("details", {}, h("summary", {}, "Be the supervisor"),
      messageForm(server, "Instruct", "instruct", [{ name: "words", label: "To the orchestrator, in plain words", placeholder: "the soup first, please" }], answered)),
    said);
  const show = () => { if (film.end) keep(element, "closed", () => h("p", {}, "It is over: nothing more is taken.")); };
  return { element, show };
}

// Elements are made here and nowhere else. Text is always a text node: none of it is
// read as HTML.

// element makes an element with a class, attributes and children, which are elements,
// texts or nothing.
function element(name, attributes, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes ?? {})) {
    if (key.startsWith("on")) {
      made.addEventListener(key.slice(2), value);
    } else if (value !== undefined && value !== false) {
      made.setAttribute(key, value);
    }
  }
  made.append(...children.flat(Infinity).filter((child) => child !== undefined && child !== null && child !== ""));
  return made;
}

function button(text, onclick) {
  return element("button", { type: "button", onclick }, text);
}

// marked gives a text that comes in parts, every second of which is to be marked.
function marked(parts) {
  return (parts ?? []).map((part, i) => (i % 2 === 1 ? element("mark", {}, part) : part));
}

// badge shows a word in the colour of how much attention it needs.
function badge(word) {
  let sign = "noted";
  if (page.needing.includes(word) || page.classes.includes(word) || word.startsWith("fault") || word === "unmet") {
    sign = "bad";
  } else if (word === "equal" || word === "equivalent") {
    sign = "good";
  }
  return element("span", { class: "badge " + sign }, word);
}

// effectOf shows the effect of a result or a cause; one that nobody notices is dim.
function effectOf(one) {
  const isNoticed = one.effect === "admits" || one.effect === "refuses";
  return element("span", { class: "effect " + (isNoticed ? "bad" : "dim") }, one.effect ? one.effect : "");
}

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

// badge shows a word: red if it is unexplained.
function badge(word, isOpen) {
  const sign = isOpen ? "bad" : word === "equal" || word === "equivalent" ? "good" : "noted";
  return element("span", { class: "badge " + sign }, word);
}

// changesVerdict reports whether users of the API notice the effect of a result or a cause.
function changesVerdict(one) {
  return one.effect !== undefined && one.effect !== "" && one.effect !== "none";
}

// effectOf shows the effect of a result or a cause: red if it changes a verdict and is unexplained.
function effectOf(one, isOpen) {
  return element("span", { class: "effect " + (!changesVerdict(one) ? "dim" : isOpen ? "bad" : "noted") }, one.effect ? one.effect : "");
}

// glossaryLink links a word to the part of the glossary that explains it.
function glossaryLink(part, word) {
  return element("a", { href: page.glossary + "#" + part }, word);
}

// sourceLink shows a file and a line, as a link if the sources have an address.
function sourceLink(source) {
  const [, file, line] = /^(.*?)(?::(\d+))?$/.exec(source) ?? [];
  if (!page.sources || !file || file.startsWith("/") || file.startsWith("..") || file.includes(":")) {
    return source;
  }
  const path = file.replace(/^\.\//, "").split("/").map(encodeURIComponent).join("/");
  return element("a", { href: page.sources.replaceAll("{file}", path).replaceAll("{line}", line ?? "1"), rel: "noreferrer" }, source);
}

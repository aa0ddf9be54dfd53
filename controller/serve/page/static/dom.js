// What everything is drawn with. All text goes in through textContent: nothing that an agent or a
// stranger wrote becomes markup, and nothing in it steers how lines run.

const NS = 'http://www.w3.org/2000/svg';
// Controls, and what is drawn as nothing (DI), except within an emoji that several characters form.
const HIDDEN = /(?!\n)(?!(?<=[\p{ExtPict}\p{EMod}\u{fe0f}])(?:\u{fe0f}|\u{200d}(?=\p{ExtPict})))[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{DI}]/gu;
const MARKS = /(\p{M}{4})\p{M}+/gu;

/** Shows characters that cannot be seen or turn the writing around as escapes. */
export const plain = text => String(text ?? '').replace(MARKS, '$1…').replace(HIDDEN, c => '\\u{' + c.codePointAt(0).toString(16) + '}');

const segmenter = new Intl.Segmenter('en');
const characters = text => Array.from(segmenter.segment(text), s => s.segment);

/** Shortens a text, at a character as people see it. @param {string} text @param {number} most */
export function cut(text, most) {
  const all = plain(text);
  if (all.length <= most) return all;
  const parts = characters(all.slice(0, most * 30));
  return parts.length > most ? parts.slice(0, most - 1).join('') + '…' : parts.join('');
}

let ruler, family;

/** Shortens a text to a width in pixels. @param {string} text @param {number} width @param {string} font its weight and size */
export function clip(text, width, font) {
  ruler ??= document.createElement('canvas').getContext('2d');
  ruler.font = `${font} ${family ??= getComputedStyle(document.body).fontFamily}`;
  const all = cut(text, 80), wide = text => ruler.measureText(text).width > width;
  if (!wide(all)) return all;
  const parts = characters(all);
  let least = 0, most = parts.length;
  while (least < most - 1) {
    const half = (least + most) >> 1;
    if (wide(parts.slice(0, half).join('') + '…')) most = half;
    else least = half;
  }
  return parts.slice(0, least).join('') + '…';
}

function fill(e, kids) {
  for (const k of kids.flat()) if (k != null && k !== false) e.append(k instanceof Node ? k : plain(k));
  return e;
}

/** Makes an element of a tag and its classes, as p.quiet. Properties, if there are any, come first: on... listen, ref is what it stands for. */
export function el(name, ...kids) {
  const [tag, ...look] = name.split('.'), e = document.createElement(tag);
  e.classList.add(...look);
  for (const [k, v] of Object.entries(kids[0]?.constructor === Object ? kids.shift() : {})) {
    if (v == null || v === false) continue;
    if (k === 'class') e.className = v;
    else if (k === 'ref') e.dataset.ref = v;
    else if (k.startsWith('on')) e.addEventListener(k.slice(2), v);
    else if (k === 'value') e.value = v;
    else e.setAttribute(k, v === true ? '' : plain(v));
  }
  return fill(e, kids);
}

/** Makes an element of a drawing. */
export function svg(tag, attrs = {}, ...kids) {
  const e = document.createElementNS(NS, tag);
  for (const [k, v] of Object.entries(attrs)) e.setAttribute(k, k === 'aria-label' ? plain(v) : v);
  return fill(e, kids);
}

export const $ = id => document.getElementById(id);

/** A text that stands in index.html. */
export const text = id => $(id).content.cloneNode(true);

export const SIGN = {completed: '✓', active: '●', planned: '○', blocked: '⊘', review: '◐', failed: '✕', abandoned: '–', Invalid: '✕', ask: '?', warn: '↻', held: '‖', suspect: '≠', denied: '⊘'};
export const WORD = {completed: 'done', active: 'active', planned: 'ready', blocked: 'waits', review: 'in review', failed: 'failed', abandoned: 'given up', Invalid: 'not readable'};

/** The sign of a phase, or of what a need is about. */
export const sign = (phase, text) => el('span', {class: 'sign c-' + phase, 'aria-hidden': 'true'}, text ?? SIGN[phase] ?? '·');

/** How long ago something was, in one unit. @param {string|undefined} at */
export function ago(at) {
  const s = (Date.now() - Date.parse(at ?? '')) / 1000;
  if (!(s >= 0)) return '';
  if (s < 5) return 'now';
  for (const [unit, of] of [['d', 86400], ['h', 3600], ['m', 60]]) if (s >= of * 2 || unit === 'm' && s >= of) return Math.floor(s / of) + unit;
  return Math.floor(s) + 's';
}

/** Orders by a time, the newest first. */
export const newest = of => (a, b) => (of(a) ?? '') > (of(b) ?? '') ? -1 : 1;

/** A time that goes on. */
export const age = at => el('time', {datetime: at, 'data-at': at}, ago(at));

// To ask for it later would lay everything out.
addEventListener('scroll', e => { e.target.at = e.target.scrollTop; }, true);

/** Replaces what is in an element, and leaves the focus where it was. */
export function put(e, ...kids) {
  const ref = e.contains(document.activeElement) ? document.activeElement.dataset?.ref : null;
  e.replaceChildren();
  fill(e, kids);
  if (e.at) e.scrollTop = e.at;
  if (ref) for (const k of e.querySelectorAll('[data-ref]')) if (k.dataset.ref === ref) { k.focus({preventScroll: true}); break; }
}

let said = 0, waiting = null;
/** Says a sentence to who does not see: one each two seconds, the newest. */
export function say(text) {
  clearTimeout(waiting);
  waiting = setTimeout(() => { said = Date.now(); $('say').textContent = plain(text); }, Math.max(0, said + 2000 - Date.now()));
}

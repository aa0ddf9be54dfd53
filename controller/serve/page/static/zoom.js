// The scale of the plan's graph. The drawing scrolls in its box like any content, so that focus,
// find and screen readers work as everywhere; only its size changes.
import {$, el, put} from './dom.js';

const LEAST = 0.1, MOST = 2, STEP = 1.25;
const READABLE = 0.6; // the smallest scale at which a graph opens
let shown = '', chosen = 0, scale = 1; // chosen is 0 until somebody zooms: the scale is then that of opening

const box = $('canvas'), drawing = () => box.querySelector('svg');

function apply(root) {
  const {width, height} = root.viewBox.baseVal;
  root.setAttribute('width', Math.ceil(width * scale));
  root.setAttribute('height', Math.ceil(height * scale));
}

// The scale at which all of a drawing is seen, at most 1.
const whole = (root, [width, height]) => Math.min(1, width / root.viewBox.baseVal.width, height / root.viewBox.baseVal.height);

/** Gives the drawing of a plan its size in a box of that size. A graph opens whole if it can be read then. */
export function size(plan, root, room) {
  if (shown !== plan) [shown, chosen] = [plan, 0];
  scale = chosen || Math.max(READABLE, whole(root, room));
  apply(root);
}

/** Zooms by a factor, around a point of the box or its middle. 0 shows all. */
export function zoom(by, x = box.clientWidth / 2, y = box.clientHeight / 2) {
  const root = drawing();
  if (!root) return;
  const before = scale;
  scale = chosen = Math.max(LEAST, Math.min(MOST, by ? scale * by : whole(root, [box.clientWidth, box.clientHeight])));
  const left = (box.scrollLeft + x) * scale / before - x, top = (box.scrollTop + y) * scale / before - y;
  apply(root);
  box.scrollTo(left, top);
}

export const zoomKeys = {'+': () => zoom(STEP), '=': () => zoom(STEP), '-': () => zoom(1 / STEP), 0: () => zoom(0)};

put($('zoom'), ...[['-', '−', 'Zoom out'], ['0', 'Fit', 'Fit: show all of the graph'], ['+', '+', 'Zoom in']].map(([key, sign, label]) =>
  el('button', {type: 'button', 'aria-label': label, title: `${label} (${key})`, onclick: zoomKeys[key]}, sign)));

const at = (x, y) => { const r = box.getBoundingClientRect(); return [x - r.left, y - r.top]; };

box.addEventListener('wheel', e => { // pinching on a touchpad comes as a wheel with Ctrl
  if (!drawing() || !e.ctrlKey && !e.metaKey) return;
  e.preventDefault();
  zoom(Math.exp(-e.deltaY / 250), ...at(e.clientX, e.clientY));
}, {passive: false});

let apart = 0;
box.addEventListener('touchmove', e => {
  const [a, b] = e.touches;
  if (!drawing() || !b) return apart = 0;
  e.preventDefault();
  const now = Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY);
  if (apart) zoom(now / apart, ...at((a.clientX + b.clientX) / 2, (a.clientY + b.clientY) / 2));
  apart = now;
}, {passive: false});
box.addEventListener('touchend', () => apart = 0);

box.addEventListener('pointerdown', e => { // a finger scrolls by itself
  if (e.pointerType !== 'mouse' || e.button || !drawing() || e.target.closest('.node')) return;
  if (e.target === box && (e.offsetX > box.clientWidth || e.offsetY > box.clientHeight)) return; // a scroll bar
  box.setPointerCapture(e.pointerId);
});
box.addEventListener('pointermove', e => { if (box.hasPointerCapture(e.pointerId)) box.scrollBy(-e.movementX, -e.movementY); });

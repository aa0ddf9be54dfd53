// Filters of the lists: what is shown of all that there is stands in the address.
import {$, el, plain, put, cut, WORD} from './dom.js';
import {agentName, agentOn, brief, phase, state, title} from './store.js';
import {caller, verdict} from './lists.js';
import {makers} from './act.js';
import {CLEAR, go, route} from './route.js';

const values = new Map(), offered = new WeakMap(), found = new WeakMap();
const value = text => values.get(text) ?? (values.set(text, plain(text)), values.get(text));
const one = (text, words = text) => text ? [[value(text), words]] : [];
const labels = o => Object.entries(o.metadata.labels ?? {}).flatMap(l => one(l.join('=')));
function workers(t) {
  const s = agentOn(t.metadata.name);
  return [...s ? one(s.spec.agent || s.metadata.name, agentName(s)) : [], ...one(t.spec.assignedTo)];
}

// What can be chosen for each list: the values of an object, each with the words for it.
const CHOICES = {
  tasks: {agent: workers, stage: t => one(t.spec.phase), state: t => one(phase(t), WORD[phase(t)]), label: labels},
  calls: {agent: c => one(caller(c), brief(caller(c)))},
  mems: {label: labels},
};
// Where the words of a text may stand; mems are found by the controller.
const TEXT = {
  tasks: t => [t.metadata.name, title(t), phase(t), WORD[phase(t)], t.spec.phase, ...labels(t).flat()],
  calls: c => [caller(c), c.call, c.rule, verdict(c)],
};

/** What the filters in the address leave of a list. */
export function filtered(list, all) {
  const r = route(), by = Object.entries(CHOICES[list]).filter(([k]) => r[k]), words = TEXT[list] ? r.find.toLowerCase().split(/\s+/).filter(Boolean) : [];
  if (!by.length && !words.length) return all;
  const has = (text, o) => words.every(w => text(o).join(' ').toLowerCase().includes(w));
  return all.filter(o => by.every(([k, of]) => of(o).some(([v]) => v === r[k])) && (!words.length || has(TEXT[list], o)));
}

const clear = () => go(CLEAR);

/** Says that the filters leave nothing of so many. */
export const nothing = all => el('div.pad.quiet', el('p', `None of ${all} matches the filter.`), el('button.b', {ref: 'filter/clear', onclick: clear}, 'Clear the filter'));

function build(box, list) {
  put(box, el('input', {type: 'search', placeholder: 'Filter by text', 'aria-label': 'Filter by text', oninput: e => go({find: e.target.value}, true)}),
    ...Object.keys(CHOICES[list]).map(k => el('select', {name: k, 'aria-label': 'Filter by ' + k, onchange: e => go({[k]: e.target.value})})),
    el('span.sub', {role: 'status'}), el('button.b', {onclick: clear}, 'Clear'), list === 'tasks' ? el('div.acts', ...makers()) : null);
}

// The values of a list and their words; a list that changes is another array.
function choices(list, k, all) {
  const of = found.get(all) ?? found.set(all, {}).get(all);
  return of[k] ??= new Map(all.flatMap(CHOICES[list][k]));
}

/** Draws the filters of a list; left is how many of all they leave. */
export function drawFilter(box, list, all, left) {
  const r = route();
  const of = [list, state.me.actions.length].join();
  if (box.dataset.of !== of) { box.dataset.of = of; build(box, list); }
  const input = box.querySelector('input');
  if (input.value !== r.find) input.value = r.find;
  for (const select of box.querySelectorAll('select')) { // an open one stays as it is
    const k = select.name, values = new Map(choices(list, k, all));
    if (r[k] && !values.has(r[k])) values.set(r[k], r[k]);
    const options = [['', 'Any ' + k], ...[...values].sort(([a], [b]) => a < b ? -1 : 1).slice(0, 200)], key = JSON.stringify(options);
    if (offered.get(select) !== key) put(select, ...options.map(([value, words]) => el('option', {value}, cut(words, 40))));
    offered.set(select, key);
    select.value = r[k];
    select.hidden = !values.size;
  }
  box.querySelector('.sub').textContent = r.filter && `${left} of ${all.length}`;
  box.querySelector('button').hidden = !r.filter;
}

/** Goes to the filters of what is shown. */
export function toFilter() {
  if (route().screen === 'now') go({screen: 'plan', ref: ''});
  $(route().screen === 'plan' ? 'plan-filter' : 'list-filter').querySelector('input').focus();
}

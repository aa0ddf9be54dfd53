// Puts it together: enters, follows, draws, and listens to keys.
import {enter, ask} from './api.js';
import {$, el, put, ago, plain, cut} from './dom.js';
import {all, byRef, changed, follow, onChange, state, title} from './store.js';
import {byKey, button, close, dialog, perform, tell} from './act.js';
import {drawAgents, drawNeeds, drawSince} from './now.js';
import {drawPlan} from './plan.js';
import {drawPanel} from './panel.js';
import {doubtful, drawGate, drawMemory, gated} from './lists.js';
import {go, href, route, SCREENS} from './route.js';

const draw = {now: () => { drawNeeds(); drawAgents(); drawSince(); drawPlan(); }, plan: () => { drawNeeds(); drawPlan(); }, gate: drawGate, memory: drawMemory};

function drawHead() {
  const r = route(), count = {gate: gated().length, memory: doubtful().length};
  const links = short => SCREENS.map(([s, label], i) => el('a', {href: href({screen: s, ref: ''}), 'aria-current': r.screen === s ? 'page' : null, ref: 'screen/' + s}, short ? null : el('kbd', i + 1), label, count[s] ? el('span.n', count[s]) : null));
  put($('screens'), ...links(false));
  put($('tabs'), ...links(true));
  $('repo').textContent = cut(state.me.repository ?? '', 40);
  $('mode').hidden = !state.overview?.mode;
  $('mode').textContent = state.overview?.mode ?? '';
  $('live').classList.toggle('gone', !state.live);
  $('live-text').textContent = state.live ? 'live' : plain(state.why) + (state.lost ? ', since ' + ago(state.lost) : '');
}

function redraw() {
  const r = route(), m = $('main');
  m.dataset.screen = r.screen;
  m.classList.toggle('stale', !state.live);
  $('list').hidden = r.screen !== 'gate' && r.screen !== 'memory';
  if ($('list').dataset.of !== r.screen) { $('list-body').replaceChildren(); $('list').dataset.of = r.screen; }
  $('h-screen').textContent = SCREENS.find(([s]) => s === r.screen)[1];
  drawHead();
  draw[r.screen]();
  drawPanel();
}

onChange(redraw);
addEventListener('hashchange', redraw);
let sized = null;
addEventListener('resize', () => { clearTimeout(sized); sized = setTimeout(redraw, 100); });
setInterval(() => { if (!document.hidden) for (const t of document.querySelectorAll('time[data-at]')) t.textContent = ago(t.dataset.at); }, 60000);

// --- keys
const KEYS = [['1 2 3 4', 'screens'], ['j k ↓ ↑', 'next, previous'], ['Tab', 'next part'], ['↵', 'open'], ['Esc', 'back'], ['f', 'only what leads to and from what is open'], ['z', 'fold groups again'], ['v', 'graph, outline, board'], ['/', 'find in the plan'], ['Ctrl K', 'go to anything'], ['?', 'these keys']];

/** What keys act upon: what has the focus, else what is open, else what needs somebody most. */
const here = () => [document.activeElement?.closest?.('[data-ref]')?.dataset.ref, route().ref, document.querySelector('#needs-list [data-ref]')?.dataset.ref].find(r => byRef(r)) ?? '';

function help() {
  const ref = here(), acts = state.me.actions.filter(a => a.key === 'u' || byKey(a.key, ref) === a);
  dialog('Keys', el('dl.keys', ...KEYS.flatMap(([k, what]) => [el('dt', el('kbd', k)), el('dd', what)])),
    state.me.readOnly ? el('p.quiet', state.me.readOnly) : el('div.acts', ...acts.map(a => el('span', {onclick: close}, button(a, ref)))), el('div.row', el('button.b', {onclick: close}, 'Close')));
}

function find() {
  const list = el('ul.found', {role: 'listbox', 'aria-label': 'Found'});
  const things = [...SCREENS.map(([s, l]) => ({label: l, sub: 'screen', run: () => go({screen: s, ref: ''})})),
    ...state.me.actions.filter(a => byKey(a.key, here()) === a).map(a => ({label: a.label, sub: here(), run: () => perform(a, here())})),
    ...['workplan', 'task', 'mem'].flatMap(w => all(w + 's').map(o => ({label: title(o), sub: w + '/' + o.metadata.name, run: () => go(w === 'workplan' ? {screen: 'plan', plan: o.metadata.name, ref: ''} : {ref: w + '/' + o.metadata.name})})))];
  const choose = t => { close(); t.run(); };
  let hits = [];
  const show = text => {
    const words = text.toLowerCase().split(/\s+/);
    hits = things.filter(t => words.every(w => (t.label + ' ' + t.sub).toLowerCase().includes(w))).slice(0, 12);
    put(list, ...hits.map((t, i) => el('li', {role: 'option', 'aria-selected': String(!i), onclick: () => choose(t)}, el('span', cut(t.label, 60)), el('code', cut(t.sub, 50)))));
  };
  const input = el('input', {type: 'search', 'aria-label': 'Go to anything', oninput: e => show(e.target.value), onkeydown: e => { if (e.key === 'Enter' && hits[0]) choose(hits[0]); }});
  dialog('Go to anything', input, list);
  show('');
}

function filter() {
  const input = el('input', {type: 'search', 'aria-label': 'Find in the plan', value: route().find, onkeydown: e => { if (e.key === 'Enter') { close(); go({find: input.value, ...(input.value && {view: 'outline'})}); } }});
  dialog('Find in the plan', input, el('p.quiet', 'words of a name, title, stage or phase; ↵ shows them, empty shows all'));
}

function step(by) {
  const part = document.activeElement?.closest('section, aside') ?? $('needs');
  const refs = [...part.querySelectorAll('[data-ref], .node')].filter(e => e.tabIndex >= 0 && e.getClientRects().length);
  const at = refs.indexOf(document.activeElement);
  (refs[at < 0 ? 0 : Math.min(refs.length - 1, Math.max(0, at + by))] ?? part).focus();
}

const plainKeys = {
  j: () => step(1), ArrowDown: () => step(1), k: () => step(-1), ArrowUp: () => step(-1), '/': filter, '?': help,
  f: () => go({near: !route().near}), z: () => go({open: [], near: false}), v: () => go({view: {graph: 'outline', outline: 'board', board: 'graph'}[route().view]}),
  Enter: () => { const ref = here(); if (byRef(ref)) go({ref}); },
};

addEventListener('keydown', e => {
  const typing = e.target.closest?.('input, textarea, select'), over = $('over').open;
  if (e.key === 'Escape') return over ? close() : route().ref ? go({ref: ''}) : tell('');
  if ((e.ctrlKey || e.metaKey) && e.key.toLowerCase() === 'k') { e.preventDefault(); return find(); }
  if (typing || over || e.ctrlKey || e.metaKey || e.altKey) return;
  if (e.key === 'Enter' && e.target.closest('button, a, summary, .node')) return;
  const screen = SCREENS[Number(e.key) - 1], a = byKey(e.key, here());
  if (screen) go({screen: screen[0], ref: ''});
  else if (plainKeys[e.key]) plainKeys[e.key]();
  else if (a) perform(a, here());
  else return;
  e.preventDefault();
});

$('over').addEventListener('click', e => { if (e.target === $('over')) close(); });
$('find').addEventListener('click', find);
$('skip').addEventListener('click', e => { e.preventDefault(); $('main').focus(); });
$('plans').addEventListener('change', e => go({plan: e.target.value, ref: ''}));
const theme = sessionStorage.getItem('theme');
if (theme) document.documentElement.dataset.theme = theme;
$('theme').addEventListener('click', () => {
  const d = document.documentElement, dark = d.dataset.theme ? d.dataset.theme === 'dark' : matchMedia('(prefers-color-scheme:dark)').matches;
  d.dataset.theme = dark ? 'light' : 'dark';
  sessionStorage.setItem('theme', d.dataset.theme);
  redraw();
});

try {
  await enter();
  state.me = await ask('/me');
  if (state.me.readOnly) tell(state.me.readOnly);
  redraw();
  follow();
} catch (e) {
  state.why = 'closed';
  tell(e.message, true);
  redraw();
}

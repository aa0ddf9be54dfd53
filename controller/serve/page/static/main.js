// Puts it together: enters, follows, draws, and listens to keys.
import {enter, ask} from './api.js';
import {$, el, put, text, ago, plain, cut} from './dom.js';
import {all, byRef, changed, follow, onChange, state, title, version} from './store.js';
import {byKey, button, close, dialog, perform, tell} from './act.js';
import {drawAgents, drawNeeds, drawSince, drawTrees} from './now.js';
import {choose, drawPlan, drawTop, shown} from './plan.js';
import {drawStrip} from './graph.js';
import {zoomKeys} from './zoom.js';
import {drawPanel} from './panel.js';
import {toFilter} from './filter.js';
import {doubtful, drawGate, drawMemory} from './lists.js';
import {go, href, route, SCREENS} from './route.js';

const drawn = {};
// Draws a part again where what it shows has changed, or else what it is given.
function part(f, ...on) {
  const key = [version, ...on].join();
  if (drawn[f.name] !== key) { drawn[f.name] = key; f(...on); }
}
const work = r => { const name = shown(); part(drawTop, name); part(drawStrip, name, r.screen); part(drawPlan, name, r.screen, r.view, r.open, r.filter, r.near && r.ref); choose(r.ref); };
const draw = {now: r => { part(drawNeeds); part(drawAgents); part(drawTrees); part(drawSince); work(r); }, plan: r => { part(drawNeeds); work(r); }};
const drawList = (screen, filter, ref) => screen === 'gate' ? drawGate(ref) : drawMemory();

function drawHead() {
  const r = route(), count = {gate: state.calls?.total, memory: doubtful().length};
  for (const bar of ['screens', 'tabs']) put($(bar), ...SCREENS.map(([s, label], i) => el('a', {href: href({screen: s, ref: ''}), 'aria-current': r.screen === s ? 'page' : null, ref: 'screen/' + s}, el('kbd', i + 1), label, count[s] ? el('span.n', count[s]) : null)));
  $('repo').textContent = cut(state.me.repository ?? '', 40);
  $('mode').hidden = !($('mode').textContent = state.overview?.mode ?? '');
  $('live').classList.toggle('gone', !state.live);
  $('live-text').textContent = state.live ? 'live' : plain(state.why) + (state.lost ? ', since ' + ago(state.lost) : '');
}

function redraw() {
  const r = route(), m = $('main');
  m.dataset.screen = r.screen;
  m.classList.toggle('stale', !state.live);
  $('h-list').textContent = $('h-screen').textContent = SCREENS.find(([s]) => s === r.screen)[1];
  part(drawHead, location.hash);
  draw[r.screen] ? draw[r.screen](r) : part(drawList, r.screen, r.filter, r.screen === 'gate' && r.ref);
  part(drawPanel, r.ref);
}

onChange(redraw);
addEventListener('hashchange', () => location.hash.startsWith('#once=') ? location.reload() : redraw()); // a new link for the page that is open
addEventListener('resize', changed);
setInterval(() => { if (!document.hidden) for (const t of document.querySelectorAll('time[data-at]')) t.textContent = ago(t.dataset.at); }, 60000);

/** What keys act upon: what has the focus, else what is open, else what needs somebody most. */
const here = () => [document.activeElement?.closest?.('[data-ref]')?.dataset.ref, route().ref, document.querySelector('#needs-list [data-ref]')?.dataset.ref].find(r => byRef(r)) ?? '';

function help() {
  const ref = here(), acts = state.me.actions.filter(a => byKey(a.key, ref) === a);
  dialog('Keys', text('keys'),
    state.me.readOnly ? el('p.quiet', state.me.readOnly) : el('div.acts', ...acts.map(a => el('span', {onclick: close}, button(a, ref)))), el('div.row', el('button.b', {onclick: close}, 'Close')));
}

function find() {
  const list = el('ul.found', {role: 'listbox', 'aria-label': 'Found'});
  const things = [...SCREENS.map(([s, l]) => ({label: l, sub: 'screen', run: () => go({screen: s, ref: ''})})),
    ...state.me.actions.filter(a => byKey(a.key, here()) === a).map(a => ({label: a.label, sub: here(), run: () => perform(a, here())})),
    ...['workplan', 'task', 'mem'].flatMap(w => all(w + 's').map(o => ({label: title(o), sub: w + '/' + o.metadata.name, run: () => go(w === 'workplan' ? {screen: 'plan', plan: o.metadata.name, ref: ''} : {ref: w + '/' + o.metadata.name})})))];
  const choose = t => { close(); t.run(); };
  let hits, at;
  const mark = to => {
    at = (to + hits.length) % hits.length;
    put(list, ...hits.map((t, i) => el('li', {role: 'option', id: 'hit' + i, 'aria-selected': `${i === at}`, onclick: () => choose(t)}, el('span', cut(t.label, 60)), el('code', cut(t.sub, 50)))));
    input.setAttribute('aria-activedescendant', 'hit' + at);
  };
  const show = text => {
    const words = text.toLowerCase().split(/\s+/);
    hits = things.filter(t => words.every(w => (t.label + ' ' + t.sub).toLowerCase().includes(w))).slice(0, 12);
    mark(0);
  };
  const input = el('input', {type: 'search', 'aria-label': 'Go to anything', oninput: e => show(e.target.value), onkeydown: e => {
    const by = {ArrowDown: 1, ArrowUp: -1}[e.key];
    if (by) { e.preventDefault(); mark(at + by); }
    if (e.key === 'Enter' && hits[at]) choose(hits[at]);
  }});
  dialog('Go to anything', input, list);
  show('');
}

function step(by) {
  const part = document.activeElement?.closest('section, aside') ?? $('needs');
  const refs = [...part.querySelectorAll('[data-ref]')].filter(e => e.tabIndex >= 0 && e.getClientRects().length);
  const at = refs.indexOf(document.activeElement);
  (refs[at < 0 ? 0 : Math.min(refs.length - 1, Math.max(0, at + by))] ?? part).focus();
}

// Opens what a reference names: a group, or what has a panel.
const open = ref => ref.startsWith('group/') ? go({open: [...route().open, ref.slice(6)]}) : byRef(ref) && go({ref});

addEventListener('click', e => {
  const at = e.target.closest?.('button, a, [data-ref]');
  if (at?.matches('.link, .pill, .leaf, .node, tr, .to') && at.dataset.ref) open(at.dataset.ref);
});

const plainKeys = {
  ...zoomKeys,
  j: () => step(1), ArrowDown: () => step(1), k: () => step(-1), ArrowUp: () => step(-1), '/': toFilter, '?': help,
  f: () => go({near: !route().near}), z: () => go({open: [], near: false}), v: () => go({view: {graph: 'outline', outline: 'board', board: 'graph'}[route().view]}),
  Enter: () => open(document.activeElement.dataset.ref ?? here()),
};

addEventListener('keydown', e => {
  const typing = e.target.closest?.('input, textarea, select'), over = $('over').open;
  if (e.key === 'Escape') return over ? close() : route().ref ? go({ref: ''}) : tell('');
  if ((e.ctrlKey || e.metaKey) && e.key.toLowerCase() === 'k') { e.preventDefault(); return find(); }
  if (typing || over || e.ctrlKey || e.metaKey || e.altKey) return;
  if (e.key === 'Enter' && e.target.closest('button, a, summary')) return;
  const screen = SCREENS[Number(e.key) - 1], a = byKey(e.key, here()), key = e.key === ' ' && e.target.matches('.node') ? 'Enter' : e.key;
  if (screen) go({screen: screen[0], ref: ''});
  else if (plainKeys[key]) plainKeys[key]();
  else if (a) perform(a, here());
  else return;
  e.preventDefault();
});

$('over').addEventListener('click', e => { if (e.target === $('over')) close(); });
$('find').addEventListener('click', find);
$('fold').addEventListener('click', plainKeys.z);
$('skip').addEventListener('click', e => { e.preventDefault(); $('main').focus(); });
$('plans').addEventListener('change', e => go({plan: e.target.value, ref: ''}));
const {dataset} = document.documentElement, theme = sessionStorage.getItem('theme');
if (theme) dataset.theme = theme;
$('theme').addEventListener('click', () => {
  const dark = dataset.theme ? dataset.theme === 'dark' : matchMedia('(prefers-color-scheme:dark)').matches;
  sessionStorage.setItem('theme', dataset.theme = dark ? 'light' : 'dark');
  changed();
});

try {
  await enter();
  [state.me, state.overview] = await Promise.all([ask('/me'), ask('/q/overview').catch(() => null)]);
  tell(state.me.readOnly);
  redraw();
  follow();
} catch (e) {
  state.why = 'closed';
  tell(e.message, true);
  redraw();
}

// Gate and Memory: a list, and what is open beside it.
import {$, el, put, text, sign, age, cut} from './dom.js';
import {ask} from './api.js';
import {all, brief, changed, get, memo, phase, state, title} from './store.js';
import {actionsFor, button} from './act.js';
import {drawFilter, filtered, nothing} from './filter.js';
import {route} from './route.js';

function table(caption, heads, rows, nothing) {
  return rows.length ? el('div.scroll', el('table', el('caption.vh', caption), el('thead', text(heads)), el('tbody', ...rows))) : el('p.quiet', state.live || state.lost ? nothing : 'Reading…');
}

const DECISION = {Granted: 'allowed once', DenialFine: 'dismissed', PassedLater: 'passed later'};
/** What became of a call. */
export const verdict = c => c.verdict + (c.decision ? ', ' + DECISION[c.decision] : '');
/** Who made a call, as HOST/SESSION. */
export const caller = c => (c.from ?? '').replace(/^hook\//, '') + '/' + (c.session || c.agent || '-');

/** Gate: the calls against the rules, the newest first. */
export function drawGate(ref) {
  const {items = [], total = 0} = state.calls ?? {}, left = filtered('calls', items);
  const rows = left.map(c => el('tr', {tabindex: 0, ref: 'call/' + c.name, class: ref === 'call/' + c.name ? 'sel' : null}, el('td.nw', age(c.time)), el('td.nw', {title: c.session}, cut(brief(caller(c)), 28)),
    el('td.wide', el('code', cut(c.call, 120))), el('td.nw', cut(c.rule, 24)), el('td.nw', sign(c.verdict === 'denied' && !c.decision ? 'denied' : 'planned', c.decision ? '✓' : c.verdict === 'denied' ? '⊘' : '!'), ' ', verdict(c))));
  drawFilter($('list-filter'), 'calls', items, left.length);
  put($('list-body'), el('p.lead', `Mode ${state.overview?.mode ?? '-'}. `, text('gate')),
    items.length && !left.length ? nothing(items.length) : table('Calls against the rules', 'gate-heads', rows, state.calls ? 'No call was against the rules.' : 'Reading…'),
    total > items.length ? el('p.quiet', `and ${total - items.length} older: idumb get violations`) : null);
}

/** Mems that somebody should look at. */
export const doubtful = () => memo('doubtful', () => all('mems').filter(m => m.status?.suspect?.length || ['suspect', 'stale', 'fading', 'contradicted', 'Invalid'].includes(phase(m))));

let hits = null, query = '', later = null;

function search(words) {
  if (query === words) return;
  query = words;
  clearTimeout(later);
  if (!words.trim()) return void (hits = null);
  later = setTimeout(async () => {
    try {
      const found = await ask('/q/recall', {text: words, limit: '30'});
      if (query === words) hits = found.map(m => m.name);
    } catch { hits = null; }
    changed();
  }, 120);
}

function memRow(m) {
  const ref = 'mem/' + m.metadata.name, bad = doubtful().includes(m);
  return el('tr', {tabindex: 0, ref}, el('td', sign(bad ? 'warn' : 'completed', bad ? '≠' : '·'), ' ', cut(title(m), 32)), el('td', cut(m.spec.type ?? 'insight', 14)), el('td.num', m.status?.confidence ?? '-'), el('td.wide', cut(m.spec.content || 'its file cannot be read', 120)),
    el('td', ...(bad ? actionsFor(ref).map(a => button(a, ref)) : [])));
}

/** Memory: what to review first, then the rest, or what was searched for. */
export function drawMemory() {
  search(route().find);
  const doubt = doubtful(), of = all => filtered('mems', all), bad = hits ? [] : of(doubt);
  const rest = of(hits ? hits.map(n => get('mems', n)).filter(Boolean) : all('mems').filter(m => !doubt.includes(m) && !m.status?.supersededBy).sort((a, b) => (b.status?.confidence ?? 0) - (a.status?.confidence ?? 0)));
  const left = bad.length + rest.length, mems = all('mems');
  drawFilter($('list-filter'), 'mems', mems, left);
  put($('list-body'), ...route().filter && mems.length && !left ? [nothing(mems.length)] : [
    ...hits ? [] : [el('h3', `To review ${bad.length}`), table('To review', 'mem-heads', bad.slice(0, 100).map(memRow), 'Nothing is in doubt.')],
    el('h3', hits ? `Found ${rest.length}` : `In use ${rest.length}`), table('Mems', 'mem-heads', rest.slice(0, 100).map(memRow), 'Nothing is remembered yet: idumb mem save "…"')]);
}

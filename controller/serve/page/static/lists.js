// Gate and Memory: a list, and what is open beside it.
import {$, el, put, text, sign, age, cut} from './dom.js';
import {ask} from './api.js';
import {all, brief, changed, get, memo, phase, state, title} from './store.js';
import {actionsFor, button} from './act.js';
import {link} from './route.js';

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
  const {items = [], total = 0} = state.calls ?? {};
  const rows = items.map(c => el('tr', {tabindex: 0, ref: 'call/' + c.name, class: ref === 'call/' + c.name ? 'sel' : null}, el('td.nw', age(c.time)), el('td.nw', {title: c.session}, cut(brief(caller(c)), 28)),
    el('td.wide', el('code', cut(c.call, 120))), el('td.nw', cut(c.rule, 24)), el('td.nw', sign(c.verdict === 'denied' && !c.decision ? 'denied' : 'planned', c.decision ? '✓' : c.verdict === 'denied' ? '⊘' : '!'), ' ', verdict(c))));
  put($('list-body'), el('p.lead', `Mode ${state.overview?.mode ?? '-'}. `, text('gate')),
    table('Calls against the rules', 'gate-heads', rows, state.calls ? 'No call was against the rules.' : 'Reading…'),
    total > items.length ? el('p.quiet', `and ${total - items.length} older: idumb get violations`) : null);
}

/** Mems that somebody should look at. */
export const doubtful = () => memo('doubtful', () => all('mems').filter(m => m.status?.suspect?.length || ['suspect', 'stale', 'fading', 'contradicted', 'Invalid'].includes(phase(m))));

let hits = null, query = '', later = null;

function search(words) {
  query = words;
  clearTimeout(later);
  later = setTimeout(async () => {
    if (!words.trim()) { hits = null; return changed(); }
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
  const box = $('list-body'), bad = doubtful();
  const rest = hits ? hits.map(n => get('mems', n)).filter(Boolean) : all('mems').filter(m => !bad.includes(m) && !m.status?.supersededBy).sort((a, b) => (b.status?.confidence ?? 0) - (a.status?.confidence ?? 0));
  if (!$('mem-find')) {
    put(box, text('memory'));
    $('mem-find').oninput = e => search(e.target.value);
  }
  put($('mem-rows'), ...(hits ? [] : [el('h3', `To review ${bad.length}`), table('To review', 'mem-heads', bad.slice(0, 100).map(memRow), 'Nothing is in doubt.')]),
    el('h3', hits ? `Found ${rest.length}` : `In use ${rest.length}`), table('Mems', 'mem-heads', rest.slice(0, 100).map(memRow), hits ? 'Nothing was found.' : 'Nothing is remembered yet: idumb mem save "…"'));
}

// Gate and Memory: a list, and what is open beside it.
import {$, el, newest, put, text, sign, age, cut} from './dom.js';
import {ask} from './api.js';
import {all, changed, get, memo, phase, state, title} from './store.js';
import {actionsFor, button} from './act.js';
import {link} from './route.js';

function table(caption, heads, rows, nothing) {
  return rows.length ? el('div.scroll', el('table', el('caption.vh', caption), el('thead', text(heads)), el('tbody', ...rows))) : el('p.quiet', state.live || state.lost ? nothing : 'Reading…');
}

/** Sessions that were denied something, or against the rules of which something ran. */
export const gated = () => memo('gated', () => all('sessions').filter(s => s.spec.counters?.denials || s.spec.counters?.violations));

/** Gate: who was denied calls, and who goes against the rules. */
export function drawGate() {
  const rows = [...gated()].sort(newest(s => s.spec.lastSeenAt)).slice(0, 200).map(s => {
    const c = s.spec.counters, task = s.spec.activeTask;
    return el('tr', el('td', sign('denied'), ' ', cut(s.spec.agent || s.metadata.name, 24)), el('td', cut(s.spec.host, 16)), el('td', task ? link('task/' + task, cut(task, 32)) : '-'),
      el('td.num', c.denials ?? 0), el('td.num', c.violations ?? 0), el('td.num', c.failures ?? 0), el('td', age(s.spec.lastSeenAt)));
  });
  put($('list-body'), el('p.lead', `Mode ${state.overview?.mode ?? '-'}. `, text('gate')),
    table('Agents at the gate', 'gate-heads', rows, 'Nothing was denied.'));
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

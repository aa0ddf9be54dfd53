// Now: needs, agents and events.
import {$, el, newest, put, text, sign, age, cut, SIGN} from './dom.js';
import {agentName, agents, brief, byRef, changed, feed, get, memo, phase, state, title, all} from './store.js';
import {actionsFor, button, listOf, verb} from './act.js';
import {go, link} from './route.js';

// How a need is drawn, by its reason or its sign.
const LOOK = {question: [/^(Permission|Answer|Question|Suspect)$/, '?≠'], warn: [/^(Circles|Repeats|Loop|Drift|Halted)$/, '↻'], review: [/Review/, '◐'], denied: [/^Denied$/, '⊘'], failed: [/./, '✕']};

/** The needs of the user. */
const rows = () => (state.overview?.needs ?? []).map(s => {
  const ref = s.about ?? '', o = byRef(ref);
  const [look, [, signs]] = Object.entries(LOOK).find(([, [reason, signs]]) => reason.test(s.reason) || signs.includes(s.sign));
  const is = (d, a) => verb(d) === (a.needs ?? a.name), acts = actionsFor(ref).filter(a => s.actions?.some(d => is(d, a)));
  const rest = (s.actions ?? []).filter(d => !acts.some(a => is(d, a))).map(a => a.command).join('; ');
  return {...s, ref, look, who: s.who === ref && o ? title(o) : brief(s.who), acts, remedy: rest};
});

function card(n, first) {
  const open = byRef(n.ref) && n.ref.split('/')[0] !== 'session';
  const session = n.ref.split('/')[0] === 'session' ? byRef(n.ref)?.spec.activeTask : '';
  return el('li', {class: 'card' + (first ? ' sel' : ''), tabindex: 0, ref: n.ref, ondblclick: () => open && go({ref: n.ref})},
    el('div', {class: 'kind c-' + n.look}, sign(n.look, n.sign), el('span.who', n.who), n.since ? age(n.since) : null),
    el('p.say', cut(n.what, 280)),
    n.why ? el('p.why', cut(n.why, 280)) : null,
    n.remedy ? el('p.why', el('code', cut(n.remedy, 200))) : null,
    el('div.row', ...n.acts.map((a, i) => button(a, n.ref, first && !i)), session && get('tasks', session) ? el('button.b.to', {ref: 'task/' + session}, 'Open task') : null, open ? el('button.b.to', {ref: n.ref}, 'Open', el('kbd', '↵')) : null));
}

/** Needs you. */
export function drawNeeds() {
  const all = rows(), n = $('needs-n');
  n.textContent = all.length;
  n.hidden = !all.length;
  document.title = (all.length ? all.length + ' need you · ' : '') + 'iDumb · ' + (state.me.repository ?? '');
  const next = state.overview?.next?.[0], hidden = state.overview?.unseen;
  put($('needs-list'), ...all.slice(0, 60).map((r, i) => card(r, !i)),
    all.length > 60 ? el('li.quiet', `and ${all.length - 60} more`) : null,
    all.length ? null : el('li.card.quiet', state.overview ? 'Nothing needs you.' : 'Reading…', hidden ? el('span', ` Not all plans are visible here: ${hidden}.`) : null, next ? el('span', ' Next: ', link('task/' + next.name, next.title || next.name)) : null));
}

const WAITS = {permission: 'asks for a permission', answer: 'asks you something', input: 'waits for you'};

// A to-do list, and the way to a plan.
function todo(t) {
  const ref = 'session/' + t.metadata.name, open = (t.status.items ?? t.status.steps).filter(i => i.state === 'active' || i.state === 'pending');
  return el('div.todo', 'to do: ' + t.status.summary, ...open.slice(0, 4).map(i => el('div', i.state === 'active' ? '▸ ' : '○ ', cut(i.text, 80))),
    ...actionsFor(ref).filter(a => a.name === 'adopt').map(a => button(a, ref)));
}

function agentCard(s) {
  const c = s.spec.counters ?? {}, st = s.status ?? {}, task = get('tasks', s.spec.activeTask), call = s.spec.lastCall ?? st.lastCall;
  const waits = s.spec.state === 'waiting' ? WAITS[s.spec.waitsFor] ?? 'waits' : '';
  const circles = !waits && (c.repeats > 2 || st.drift > 60), sort = waits ? 'ask' : circles ? 'warn' : '';
  const doing = call ? `${call.tool ?? ''} ${call.target ?? ''}` : s.spec.state ?? '';
  return el('li', {class: 'agent ' + sort, tabindex: 0, ref: task ? 'task/' + s.spec.activeTask : ''},
    el('div.l1', sign(sort === 'ask' ? 'question' : sort || (phase(s) === 'idle' ? 'planned' : 'active'), SIGN[sort] ?? (phase(s) === 'idle' ? '○' : '●')), el('b', link('session/' + s.metadata.name, cut(agentName(s), 24))), el('span.host', cut(s.spec.host, 16)), age(s.spec.lastSeenAt)),
    el('div.doing', task ? link('task/' + s.spec.activeTask, cut(title(task), 40)) : 'no task', doing ? ' · ' : '', el('code', cut(doing, 60))),
    el('div.l3', el('meter', {min: 0, max: 100, low: 40, high: 70, optimum: 100, value: st.health ?? 0, 'aria-label': 'health ' + (st.health ?? '-')}), `health ${st.health ?? '-'}`, el('span', `turn ${c.turns ?? 0}`), el('span', s.spec.tokens ? Math.round(s.spec.tokens / 1000) + 'k tokens' : '- tokens')),
    waits || circles ? el('div.note', waits ? cut(s.spec.asks || waits, 160) : c.repeats > 2 ? `the same error ${c.repeats} times` : `drift ${st.drift}`) : null, listOf(s.metadata.name) ? todo(listOf(s.metadata.name)) : null);
}

/** Agents. */
export function drawAgents() {
  const here = [...agents()].sort(newest(s => s.spec.lastSeenAt));
  $('agents-n').textContent = here.length;
  const others = (state.overview?.todos ?? []).filter(t => !here.some(s => s.metadata.name === t.metadata.name && !t.status.worktree));
  put($('agent-list'), ...here.slice(0, 40).map(agentCard), ...others.map(t => el('li.agent', el('div.l1', el('b', cut(t.status.agent, 40)), age(t.status.updatedAt)), todo(t))), here.length ? null : text('no-agents'));
}

/** The repository's other worktrees whose controller runs. */
export function drawTrees() {
  const all = state.trees ?? [];
  $('trees').hidden = !all.length;
  put($('tree-list'), ...all.map(t => el('li.agent', el('div.l1', el('b', cut(t.name, 40)), el('span.host', `${t.needs.length} need you, ${t.working.length} at work`)), ...t.needs.slice(0, 2).map(n => el('div.note', n.sign, ' ', cut(n.who + ': ' + n.what, 120))))));
}

// Changes since the last look, by the statuses.
function earlier(since) {
  const found = [];
  for (const t of all('tasks')) {
    for (const [field, p, text] of [['completedAt', 'completed', ' completed'], ['startedAt', 'active', ' started']])
      if (t.status?.[field] > since) found.push({at: t.status[field], phase: p, ref: 'task/' + t.metadata.name, what: title(t), text});
    for (const c of t.status?.checkpoints?.last ?? [])
      if (c.time > since && c.filesModified?.length) found.push({at: c.time, phase: 'active', sign: '✎', ref: 'task/' + t.metadata.name, what: c.filesModified.length === 1 ? c.filesModified[0] : c.filesModified.length + ' files', text: ' written for ' + title(t)});
  }
  return found;
}

const opened = new Date().toISOString();
let mark = sessionStorage.getItem('looked') ?? new Date(Date.now() - 8 * 3600e3).toISOString(), looking = null;
// A look ends when the page was in front for three seconds and is left.
const look = () => { clearTimeout(looking); if (document.hasFocus()) looking = setTimeout(() => { looking = 'seen'; }, 3000); };
addEventListener('focus', () => { mark = sessionStorage.getItem('looked') ?? mark; look(); changed(); });
addEventListener('blur', () => { if (looking === 'seen') sessionStorage.setItem('looked', new Date().toISOString()); });
look();

/** Since you looked. */
export function drawSince() {
  const lines = [...feed.filter(f => f.at > mark), ...memo('earlier ' + mark, () => earlier(mark).sort(newest(f => f.at)).slice(0, 40)).filter(f => f.at <= opened)].sort(newest(f => f.at)).slice(0, 40);
  put($('since-n'), age(mark));
  put($('feed'), ...lines.map(f => el('li', {class: 'c-' + f.phase, 'data-sign': f.sign ?? SIGN[f.phase] ?? '·'},
    link(f.ref, cut(f.what, 60)), el('span', cut(f.text, 80)), ' ', age(f.at))),
    lines.length ? null : el('li', {'data-sign': '·'}, 'Nothing.'));
}

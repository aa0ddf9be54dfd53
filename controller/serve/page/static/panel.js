// The Task panel: why it waits, what proves it done, what was done and said.
import {ask} from './api.js';
import {$, el, newest, put, sign, age, cut, plain, WORD, SIGN} from './dom.js';
import {agentName, agentOn, all, brief, byRef, changed, get, holds, needs, phase, state, title} from './store.js';
import {actionsFor, allows, button, buttons} from './act.js';
import {caller, verdict} from './lists.js';
import {go} from './route.js';
import {waiting} from './plan.js';

const h3 = text => el('h3', text);
const link = (ref, text, p) => el('button.pill', {ref}, p ? sign(p) : null, ' ', cut(text, 40));

function pill(name) {
  const t = get('tasks', name);
  return t ? link('task/' + name, title(t), phase(t)) : el('span.pill', cut(name, 40));
}

function whyBox(t) {
  const name = t.metadata.name, behind = waiting(name), blocked = t.status?.blockedBy ?? [], a = agentOn(name);
  const by = blocked.map(n => { const b = agentOn(n); return b ? `${title(get('tasks', n))}, which ${agentName(b)} works on` : get('tasks', n) ? title(get('tasks', n)) : n; });
  const said = t.status?.conditions?.find(c => c.type === 'Ready')?.message;
  const text = blocked.length ? 'It needs ' + by.slice(0, 3).join('; ') + (by.length > 3 ? ` and ${by.length - 3} more.` : '.') : a ? `${agentName(a)} works on it.` : said ? said[0].toUpperCase() + said.slice(1) + '.' : (WORD[phase(t)] ?? phase(t)) + '.';
  return el('div.whybox', el('p', cut(text, 400)),
    el('div.chain', ...needs(t).slice(0, 8).map(pill), needs(t).length ? '→' : null, el('span.pill.here', sign(phase(t)), ' ', cut(title(t), 40)), behind.length ? '→' : null, ...behind.slice(0, 4).map(pill), behind.length > 4 ? el('span.pill', `${behind.length - 4} more`) : null));
}

const words = e => e.file ? `${e.file} is written` : e.command ? `${e.command}${e.succeeds ? ' succeeds' : ' is run'}` : JSON.stringify(e);

function proofs(t) {
  const missing = t.status?.conditions?.find(c => c.type === 'EvidenceMissing' && c.status === 'True');
  const ok = phase(t) === 'completed';
  const all = [el('li', sign(ok ? 'completed' : 'planned'), el('span', cut(t.spec.expectedOutput, 300))),
    ...(t.spec.evidence ?? []).map(e => el('li', sign(ok ? 'completed' : 'planned'), el('code', cut(words(e), 160))))];
  if (t.spec.paths?.length) all.push(el('li', sign('planned', '·'), el('span', 'may write only ', el('code', cut(t.spec.paths.join(' '), 160)))));
  if (missing) all.push(el('li', sign('warn', '!'), el('span', cut(missing.message, 300))));
  return el('ul.checks', ...all);
}

function comments(ref) {
  const of = all('comments').filter(c => c.spec.about === ref).sort((a, b) => a.metadata.name < b.metadata.name ? 1 : -1);
  if (!of.length) return [];
  return [h3(`Comments ${of.length}`), ...of.slice(0, 30).map(c => el('div.cm', el('div.by', el('b', cut(c.spec.author, 40)), c.spec.type ?? 'note', age(c.metadata.creationTimestamp)), el('p', plain(c.spec.body)),
    c.spec.type === 'instruction' ? el('p', {class: 'told' + (c.status?.toldTo?.length ? '' : ' wait')}, c.status?.toldTo?.length ? '✓ told to ' + c.status.toldTo.map(x => `${x.session}, turn ${x.turn}`).join('; ') : '○ told to whoever starts it') : null, buttons('comment/' + c.metadata.name)))];
}

// What holds a task: who asked what, and the ways on.
const held = name => holds(name).map((c, i) => el('div.held', el('p', el('b', SIGN.held + ' Held until answered'), ' ', age(c.metadata.creationTimestamp)), el('p', cut(c.spec.author, 40) + ': ' + plain(c.spec.body)),
  el('div.acts', ...actionsFor('comment/' + c.metadata.name).map(a => button(a, 'comment/' + c.metadata.name)), ...i ? [] : actionsFor('task/' + name).filter(a => a.name === 'release').map(a => button(a, 'task/' + name)))));

function taskBody(t) {
  const name = t.metadata.name, st = t.status ?? {}, last = [...(st.checkpoints?.last ?? [])].reverse();
  const given = all('delegations').filter(d => d.spec.task === name);
  return [
    ...held(name),
    h3(phase(t) === 'blocked' ? 'Why it waits' : 'State'), whyBox(t), h3('Proves it done'), proofs(t),
    t.spec.description ? el('details', el('summary', 'Description'), el('p.text', plain(t.spec.description))) : null,
    ...comments('task/' + name),
    last.length ? h3(`Checkpoints ${st.checkpoints.count}`) : null,
    last.length ? el('ul.checks', ...last.map(c => el('li', sign(c.succeeded === false ? 'failed' : 'completed', c.succeeded === false ? '✕' : '✎'), el('span', cut(c.summary || [c.tool, ...(c.filesModified ?? [])].join(' '), 160), ' ', age(c.time))))) : null,
    given.length ? h3('Delegation') : null,
    ...given.map(d => el('div.cm', el('div.by', el('b', cut(d.spec.to, 40)), phase(d)), buttons('delegation/' + d.metadata.name)))];
}

// Lines that mems in doubt cite, then and now.
const asked = {};

/** What a mem says, and why it may be wrong. */
function memBody(m) {
  const st = m.status ?? {}, key = 'mems/' + m.metadata.name, then = el('pre.raw');
  if (st.suspect) (asked[key + m.metadata.resourceVersion] ??= ask('/q/describe', {key})).then(d => { then.textContent = plain(d.objects[0].differences?.flatMap(x => x.lines).join('\n')); }, () => {});
  return [h3('It says'), el('p.text', plain(m.spec.content)),
    ...st.suspect ? [h3('It may be wrong'), el('ul.checks', ...st.suspect.map(s => el('li', sign('warn', '≠'), cut(s, 200)))), then] : [],
    h3('Stands on'), el('ul.checks', ...(m.spec.evidence ?? []).map(e => el('li', sign('planned', '·'), el('code', cut((e.path ?? '') + (e.section ? '#' + e.section : '') || e.note, 160))))), m.spec.evidence?.length ? null : el('p.quiet', 'Nothing that it cites.'),
    st.supersededBy ? el('p', 'Replaced by ', link('mem/' + st.supersededBy, st.supersededBy)) : null];
}

let found = {}, asking = {};
// What the controller knows of what is open: asked for anew after changes, while what was known stays.
function details(path, parameters, name) {
  if (asking.calls !== state.calls || asking.name !== name) {
    const one = asking = {calls: state.calls, name};
    ask(path, parameters).then(a => { if (asking === one) { found = {name, ...(a.items ?? a.objects)[0]}; changed(); } }, () => {});
  }
  return found.name === name ? found : null;
}

const OUTCOME = [['completed', '✓'], ['failed', '✕'], ['planned', '·']];
const outcome = ok => sign(...OUTCOME[ok === true ? 0 : ok === false ? 1 : 2]);
const some = (label, all, most, line) => all.length ? [h3(`${label} ${all.length}`), el('ul.checks', ...all.slice(0, most).map(x => el('li', ...line(x))), all.length > most ? el('li.quiet', `and ${all.length - most} more`) : null)] : [];

/** What a session works on, did, and was denied and told. */
function sessionBody(s) {
  const name = s.metadata.name, done = details('/q/describe', {key: 'sessions/' + name, checkpoints: '1'}, name)?.checkpoints ?? [], c = s.spec.counters ?? {};
  const files = [...new Set(done.flatMap(d => d.filesModified ?? []))], denied = (state.calls?.items ?? []).filter(v => v.session === name);
  const told = all('comments').flatMap(o => (o.status?.toldTo ?? []).filter(x => x.session === name).map(x => ({...x, spec: o.spec}))).sort(newest(x => x.at));
  return [h3('Works on'), el('p', s.spec.activeTask ? pill(s.spec.activeTask) : 'no task'), el('p.quiet', [s.spec.state, s.spec.asks, `turn ${c.turns ?? 0}`, s.spec.tokens && Math.round(s.spec.tokens / 1000) + 'k tokens'].filter(Boolean).map(x => cut(x, 200)).join(' · ')),
    ...some('Denied or against the rules', denied, 10, v => [sign('denied'), el('button.link', {ref: 'call/' + v.name}, cut(v.call, 80)), ' ', verdict(v), ' ', age(v.time)]),
    ...some('Commands', done.filter(d => d.command), 20, d => [outcome(d.succeeded), el('code', cut(d.command, 160)), ' ', age(d.time)]),
    ...some('Files', files, 20, f => [sign('active', '✎'), el('code', cut(f, 120))]),
    ...some('Told', told, 20, x => [sign('question', '✉'), el('span', cut(x.spec.body, 160)), ' ', cut(`${x.spec.about}, turn ${x.turn ?? '-'}`, 60), ' ', age(x.at)])];
}

function callBody(c) {
  const d = details('/q/violations', {name: c.name}, c.name) ?? c, part = (label, text) => text ? [h3(label), el('p.text', plain(text))] : [];
  return [h3('Call'), el('pre.raw', plain(d.text || c.call)), ...part('What', c.message), ...part('Why', d.why), ...part('Use instead', d.useInstead), ...part('Evidence', d.evidence),
    h3('What it did next'), d.next ? el('p', el('code', cut(d.next, 300)), ' ', age(d.nextAt)) : el('p.quiet', 'Nothing was recorded after that second.'),
    h3('By'), el('p', get('sessions', c.session) ? link('session/' + c.session, brief(caller(c))) : cut(brief(caller(c)), 60), ' ', c.task ? pill(c.task) : null),
    c.denial && !c.decision ? h3('Decide') : null, d.refused ? el('p.quiet', 'It cannot be allowed: ' + d.refused) : d.text ? allows(d) : null,
    buttons('call/' + c.name, {allow: d.refused})];
}

/** The panel of what is open in the address. */
export function drawPanel(ref) {
  const o = byRef(ref), box = $('panel');
  box.hidden = !o;
  $('main').classList.toggle('open', !!o);
  if (!o) return;
  const task = ref.startsWith('task/'), mem = ref.startsWith('mem/'), shut = el('button.ico.shut', {'aria-label': 'Close', onclick: () => go({ref: ''})}, '✕');
  if (ref.startsWith('call/')) {
    const c = o.spec;
    return put(box, shut, el('h2', {id: 'h-task'}, sign('denied'), el('span', verdict(c))), el('p.id', cut([brief(caller(c)), c.session, c.agent, 'rule ' + c.rule].filter(Boolean).join(' · '), 200), ' ', age(c.time)), ...callBody(c));
  }
  const id = [ref, task ? o.spec.workPlan : '', o.spec.phase, o.spec.priority ?? (task ? 'normal' : ''), mem ? `confidence ${o.status?.confidence ?? '-'}` : '', o.spec.assignedTo && 'for ' + o.spec.assignedTo].filter(Boolean).join(' · ');
  put(box, shut,
    el('h2', {id: 'h-task'}, sign(phase(o), SIGN[phase(o)] ?? '≠'), el('span', cut(ref.startsWith('session/') ? agentName(o) : title(o), 120))), el('p.id', cut(id, 200)),
    ...(o.broken ? [el('p.whybox', cut(o.status?.conditions?.map(c => c.message).join('; ') || 'its file cannot be read', 400))] : task ? taskBody(o) : mem ? memBody(o) : ref.startsWith('session/') ? sessionBody(o) : []),
    buttons(ref),
    el('details', el('summary', 'Raw JSON'), el('pre.raw', plain(JSON.stringify(o, null, 1)))));
}

// What there is, as the controller said last, and what changed since: one state that everything is drawn from.
import {ask, mine} from './api.js';
import {plain, WORD, say} from './dom.js';

/** Objects by kind, then by name. */
export const objects = {};
/** What happened, the newest first: {at, phase, ref, text}. */
export const feed = [];
export const state = {me: {actions: [], kinds: []}, live: false, why: 'opening', overview: null};

let draw = null, due = null, drawn = 0;
/** Counts changes. */
export let version = 0;

/** Has f called after changes, at most once each 50 ms. */
export const onChange = f => { draw = f; };

/** Asks for a redraw. */
export function changed() {
  version++;
  due ??= setTimeout(() => requestAnimationFrame(() => { due = null; drawn = Date.now(); draw(); }), Math.max(0, drawn + 50 - Date.now()));
}

const derived = new Map();
/** What follows from objects, computed once until one changes. */
export function memo(key, f) {
  if (!derived.has(key)) derived.set(key, f());
  return derived.get(key);
}

export const all = kind => memo(kind, () => Object.values(objects[kind] ?? {}));
export const get = (kind, name) => objects[kind]?.[name];
export const phase = o => o?.status?.phase ?? '';
export const title = o => o?.spec.title || o?.metadata?.name || '';
/** The object that a reference as task/NAME names. */
export function byRef(ref) {
  const [word, name] = (ref ?? '').split('/');
  return get(word + 's', name);
}
/** What has to be completed before a task, in its plan. */
export const needs = t => [...new Set([t.spec.dependsOn ?? [], t.spec.temporalGate?.after || []].flat())];
/** Sessions that are at work. */
export const agents = () => memo('agents', () => all('sessions').filter(s => ['active', 'idle', 'resumed'].includes(phase(s)) && !s.spec.endedAt));
/** The comments that hold a task. */
export const holds = name => (memo('holds', () => Object.groupBy(all('comments').filter(c => c.status?.holds), c => c.spec.about))['task/' + name] ?? []);
export const agentOn = name => agents().find(s => s.spec.activeTask === name);
/** The names of the tasks that name one as coming first. */
export const after = name => memo('after', () => {
  const of = new Map();
  for (const t of all('tasks')) for (const n of needs(t)) of.has(n) ? of.get(n).push(t.metadata.name) : of.set(n, [t.metadata.name]);
  return of;
}).get(name) ?? [];

const happened = (phase, ref, what, text) => feed.unshift({at: new Date().toISOString(), phase, ref, what, text});

function note(kind, before, o) {
  const name = o.metadata.name, to = phase(o);
  if (kind === 'tasks' && before && phase(before) !== to) {
    happened(to, 'task/' + name, title(o), ' ' + (to === 'planned' ? 'may be started' : WORD[to] ?? to));
    say(`${title(o)}: ${WORD[to] ?? to}`);
  }
  const denials = s => s?.spec.counters?.denials ?? 0;
  if (kind === 'sessions' && before && denials(o) > denials(before))
    happened('denied', 'session/' + name, agentName(o), ' was denied a call');
  feed.length = Math.min(feed.length, 200);
}

function event({type, object}) {
  const kind = object.kind === 'TaskNode' ? 'tasks' : object.kind.toLowerCase() + 's', name = object.metadata.name, of = objects[kind] ??= {};
  if (!object.spec) [object.spec, object.broken] = [{}, true]; // its file cannot be read
  if (type === 'DELETED') delete of[name];
  else {
    note(kind, of[name], object);
    of[name] = object;
  }
}

/** The shortest unique starts of the sessions' names, four characters at least. Short names stay whole. */
const starts = () => memo('starts', () => {
  const names = [...new Set([...Object.keys(objects.sessions ?? {}), ...all('calls').map(c => c.spec.session ?? '')])].sort();
  const common = (a, b = '') => { let n = 0; while (n < a.length && a[n] === b[n]) n++; return n; };
  return new Map(names.map((n, i) => [n, n.length > 12 ? n.slice(0, Math.max(4, 1 + Math.max(common(n, names[i - 1]), common(n, names[i + 1])))) : n]));
});
/** An agent in its shortest unique form, from HOST/SESSION. */
export const brief = name => {
  const at = name.indexOf('/') + 1;
  return name.slice(0, at) + (starts().get(name.slice(at)) ?? name.slice(at));
};
/** The agent of a session. */
export const agentName = s => s.spec.agent || brief((s.spec.host ?? 'agent') + '/' + s.metadata.name);

// The only script that may be named.
const source = () => globalThis.trustedTypes?.createPolicy('stream', {createScriptURL: () => 'stream.js'}).createScriptURL('') ?? 'stream.js';

/** Asks for what no object tells: needs and calls. */
export let refresh = () => {};

/** Follows everything, by the stream that all tabs share. */
export function follow() {
  const {port} = new SharedWorker(source(), {type: 'module'});
  const tell = more => port.postMessage({shown: !document.hidden, ...more});
  port.onmessage = async ({data: {lines = [], check, ...about}}) => {
    if (lines.length || about.calls) derived.clear();
    if (about.calls) objects.calls = Object.fromEntries(about.calls.items.map(c => [c.name, {metadata: {name: c.name}, spec: {...c, title: c.call}}]));
    for (const line of lines) event(JSON.parse(line));
    if (check) {
      try { await ask('/me'); } catch (e) {
        tell({bye: true});
        port.onmessage = null;
        about = {live: false, why: plain(e.message)};
      }
    }
    Object.assign(state, about);
    changed();
  };
  refresh = tell;
  const meet = () => tell({token: mine(), kinds: state.me.kinds});
  meet();
  document.addEventListener('visibilitychange', () => tell());
  addEventListener('pagehide', () => tell({bye: true}));
  addEventListener('pageshow', e => e.persisted && meet());
}

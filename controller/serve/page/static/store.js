// What there is, as the controller said last, and what changed since: one state that everything is drawn from.
import {watch, Refused} from './api.js';
import {plain, WORD, say} from './dom.js';

/** Objects by kind, then by name. */
export const objects = {};
/** What happened, the newest first: {at, phase, ref, text}. */
export const feed = [];
export const state = {me: {actions: [], kinds: []}, live: false, why: 'opening', overview: null, needs: []};

const KIND = {TaskNode: 'tasks', WorkPlan: 'workplans', Session: 'sessions', Mem: 'mems', Delegation: 'delegations', Decision: 'decisions', Trajectory: 'trajectory', Comment: 'comments'};
const listeners = new Set();
let due = null;

/** Has f called after changes, at most once each 50 ms. */
export const onChange = f => listeners.add(f);

/** Asks for a redraw. */
export function changed() {
  due ??= setTimeout(() => { due = null; requestAnimationFrame(() => listeners.forEach(f => f())); }, 50);
}

const derived = new Map();
/** What follows from objects alone, computed once until one of them changes. @param {string} key @param {() => any} f */
export function memo(key, f) {
  if (!derived.has(key)) derived.set(key, f());
  return derived.get(key);
}

export const all = kind => Object.values(objects[kind] ?? {});
export const get = (kind, name) => objects[kind]?.[name];
export const phase = o => o?.status?.phase ?? '';
export const title = o => o?.spec.title || o?.metadata?.name || '';
/** The object that a reference as task/NAME names. */
export function byRef(ref) {
  const [word, name] = (ref ?? '').split('/');
  return get(word + 's', name);
}
/** What has to be completed before a task, in its plan. */
export const needs = t => [...new Set([...(t.spec.dependsOn ?? []), ...(t.spec.temporalGate?.after ? [t.spec.temporalGate.after] : [])])];
/** Sessions that are at work. */
export const agents = () => memo('agents', () => all('sessions').filter(s => ['active', 'idle', 'resumed'].includes(phase(s)) && !s.spec.endedAt));
export const agentOn = name => agents().find(s => s.spec.activeTask === name);
/** The names of the tasks that name one as coming first. */
export const after = name => memo('after', () => {
  const of = new Map();
  for (const t of all('tasks')) for (const n of needs(t)) of.has(n) ? of.get(n).push(t.metadata.name) : of.set(n, [t.metadata.name]);
  return of;
}).get(name) ?? [];

let listing = null; // kinds that are read anew: what is not named is gone

function note(kind, before, o) {
  const name = o.metadata.name, to = phase(o);
  if (kind === 'tasks' && before && phase(before) !== to) {
    feed.unshift({at: new Date().toISOString(), phase: to, ref: 'task/' + name, what: title(o), text: ' ' + (to === 'planned' ? 'may be started' : WORD[to] ?? to)});
    say(`${title(o)}: ${WORD[to] ?? to}`);
  }
  const denials = s => s?.spec.counters?.denials ?? 0;
  if (kind === 'sessions' && before && denials(o) > denials(before))
    feed.unshift({at: new Date().toISOString(), phase: 'denied', ref: 'session/' + name, what: o.spec.agent || name, text: ' was denied a call'});
  feed.length = Math.min(feed.length, 200);
}

function event({type, object}) {
  if (type === 'REVOKED') throw new Refused(401, 'this page’s link was used a second time, so it is closed. If that was not you, somebody read it. Run: idumb dash --web');
  if (type === 'ERROR') throw new Refused(object.code, object.message);
  const kind = KIND[object.kind];
  if (!kind) return;
  if (type === 'BOOKMARK') {
    if (listing?.[kind]) {
      for (const name of Object.keys(objects[kind] ?? {})) if (!listing[kind].has(name)) delete objects[kind][name];
      delete listing[kind];
      derived.clear();
    }
    return changed();
  }
  const name = object.metadata.name, of = objects[kind] ??= {};
  if (!object.spec) [object.spec, object.broken] = [{}, true]; // its file cannot be read
  listing?.[kind]?.add(name);
  if (type === 'DELETED') delete of[name];
  else {
    note(kind, of[name], object);
    of[name] = object;
  }
  changed();
}

let stop = null, closed = null;

/** Follows everything, and begins anew where that ends. */
export async function follow() {
  for (let pause = 250, refused = 0; refused < 4;) {
    stop = new AbortController();
    listing = Object.fromEntries(state.me.kinds.map(k => [k, new Set()]));
    try {
      const began = watch(state.me.kinds, e => { if (!state.live) { state.live = true; pause = 250; refused = 0; } event(e); }, stop.signal);
      await began;
      state.why = 'the controller ended';
    } catch (e) {
      if (e.name === 'AbortError' && document.hidden) await new Promise(f => document.addEventListener('visibilitychange', f, {once: true}));
      else if (e instanceof Refused && e.status === 401) {
        state.live = false;
        state.why = plain(e.message);
        return changed();
      } else {
        state.why = e.message;
        refused += e.status === 0;
      }
    }
    state.live = false;
    state.lost ??= new Date().toISOString();
    changed();
    await new Promise(f => setTimeout(f, pause));
    pause = Math.min(pause * 2, 10000);
  }
  state.why = 'the controller ended; idumb dash --web opens this page again'; // a port of its own, and a token
  changed();
}

// A page that nobody sees for a minute lets go, and reads again when it is seen.
document.addEventListener('visibilitychange', () => {
  clearTimeout(closed);
  if (document.hidden) closed = setTimeout(() => stop?.abort(), 60000);
});

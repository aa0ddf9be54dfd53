// One stream for all tabs of this browser: a browser has few connections to one site. It runs in a
// SharedWorker, and keeps the newest line of each object for tabs that come later.
import {ask, refusal, use, watch} from './api.js';

const tabs = new Map(), lines = new Map();
let at = {}, listing = {}, about = {live: false}, kinds = [], stop = null, going = false, asleep = null, due = null, askedAt = 0;

function tell(message) {
  about = {...about, ...message};
  for (const port of tabs.keys()) port.postMessage(message);
}

// Notes a line, and returns those that tabs have to hear: what was not named while a kind was read anew is gone.
function note(line) {
  const {type, object} = JSON.parse(line), kind = object?.kind, key = kind + '/' + object?.metadata?.name;
  if (type === 'ERROR') throw refusal(object.code, object.message);
  if (type === 'REVOKED') for (const port of tabs.keys()) port.postMessage({check: true});
  if (type === 'BOOKMARK') {
    at[kind] = object.metadata.resourceVersion;
    const seen = listing[kind], gone = seen ? [...lines.keys()].filter(k => k.startsWith(kind + '/') && !seen.has(k)) : [];
    delete listing[kind];
    return gone.map(k => { lines.delete(k); return JSON.stringify({type: 'DELETED', object: {kind, metadata: {name: k.slice(kind.length + 1)}}}); });
  }
  if (!object) return [];
  if (!at[kind]) (listing[kind] ??= new Set()).add(key);
  type === 'DELETED' ? lines.delete(key) : lines.set(key, line);
  return [line];
}

// It is live when each kind was listed.
function take(some) {
  const lines = some.flatMap(note);
  tell({lines, ...(!about.live && Object.keys(at).length >= kinds.length && {live: true, lost: null})});
  delete about.lines;
  look();
}

// What needs somebody is asked for again after changes: at most each second.
function look() {
  due ??= setTimeout(async () => {
    askedAt = Date.now();
    try {
      tell({overview: await ask('/q/overview')});
      tell({calls: await ask('/q/violations', {limit: '200'})});
      tell({trees: await ask('/trees')});
    } catch { /* the stream says what is wrong */ }
    due = null;
  }, Math.max(0, askedAt + 1000 - Date.now()));
}

async function follow() {
  if (going) return;
  going = true;
  const seen = () => [...tabs.values()].some(t => t.shown);
  for (let pause = 250, refused = 0; tabs.size && (!refused || seen());) {
    const token = [...tabs.values()][0].token;
    let why = 'the controller ended';
    use(token);
    listing = {};
    stop = new AbortController();
    try {
      await watch([...kinds.map(k => ['kind', k]), ...Object.entries(at)], some => { take(some); pause = 250; refused = 0; }, stop.signal);
    } catch (e) {
      if (e.name === 'AbortError') return void (going = false);
      if (e.status === 401) for (const [port, tab] of tabs) if (tab.token === token) { port.postMessage({check: true}); tabs.delete(port); }
      if (e.status === 410) at = {}; // too long ago
      why = e.message;
      if (e.status === 0 && ++refused > 3) why = 'the controller ended; idumb dash --web starts it, and this page goes on';
    }
    tell({live: false, why, lost: about.lost ?? new Date().toISOString()});
    await new Promise(f => setTimeout(f, pause));
    pause = Math.min(pause * 2, 1000);
  }
  going = false;
}

/** Has a tab hear of everything from now on. While nobody sees one for a minute there is no stream. */
export function meet(port) {
  port.onmessage = ({data}) => {
    if (data.token && !tabs.has(port)) {
      kinds = data.kinds;
      port.postMessage({...about, lines: [...lines.values()]});
    }
    data.bye ? tabs.delete(port) : tabs.set(port, {...tabs.get(port), ...data});
    clearTimeout(asleep);
    if ([...tabs.values()].some(t => t.shown)) { follow(); look(); }
    else asleep = setTimeout(() => stop?.abort(), 60000);
  };
}

globalThis.onconnect = e => meet(e.ports[0]);

// How the page asks: with the token that it traded its link for, which stays in this tab.

let token = globalThis.sessionStorage?.getItem('token') ?? ''; // a worker has none

/** An answer that is no success, in the controller's words. */
export const refusal = (status, message) => Object.assign(new Error(message), {status});

let proven = ''; // the token that the program at the other end of an open stream knows

async function reach(path, init = {}) {
  let answer;
  try {
    answer = await fetch(path, {...init, cache: 'no-store', credentials: 'omit', redirect: 'error'});
  } catch (e) {
    if (e.name === 'AbortError') throw e;
    throw refusal(0, 'the controller does not answer');
  }
  if (answer.ok) return answer;
  const said = await answer.json().catch(() => ({}));
  throw refusal(answer.status, said.message ?? answer.statusText);
}

async function send(path, init = {}) {
  if (token && token !== proven) await challenge(init.signal);
  const headers = {Accept: 'application/json', Authorization: 'Bearer ' + token};
  if (init.body) headers['Content-Type'] = 'application/json';
  return reach(path, {...init, headers});
}

const bytes = text => new TextEncoder().encode(text);
const hex = data => Array.from(data, b => b.toString(16).padStart(2, '0')).join('');
async function sign(key, message) {
  const by = await crypto.subtle.importKey('raw', key, {name: 'HMAC', hash: 'SHA-256'}, false, ['sign']);
  return new Uint8Array(await crypto.subtle.sign('HMAC', by, message));
}

// Has the program at this address prove that it knows the token, before the token is sent: when the
// controller ends, another program can take its port.
async function challenge(signal) {
  const asked = token, nonce = crypto.getRandomValues(new Uint8Array(32));
  const [id, key] = await Promise.all(['id', 'proof'].map(part => sign(bytes(asked), bytes(part))));
  const answer = await reach('/proof?' + new URLSearchParams({id: hex(id), nonce: hex(nonce)}), {signal});
  const {proof} = await answer.json().catch(() => ({}));
  if (proof !== hex(await sign(key, nonce))) throw refusal(401, 'another program answers at this address; open the page again with idumb dash --web');
}

/** Trades the code of the link for the token, and wipes the link. */
export async function enter() {
  const once = new URLSearchParams(location.hash.slice(1)).get('once');
  if (!once) return;
  history.replaceState(null, '', location.pathname);
  token = '';
  sessionStorage.removeItem('token');
  ({token} = await (await send('/once', {method: 'POST', body: JSON.stringify({once})})).json());
  sessionStorage.setItem('token', token);
}

/** Asks something. @param {string} path @param {Record<string, string|string[]>} [parameters] */
export async function ask(path, parameters = {}) {
  const q = new URLSearchParams();
  for (const [k, v] of Object.entries(parameters)) for (const one of [v].flat()) if (one) q.append(k, one);
  return (await send(path + (q.size ? '?' + q : ''))).json();
}

/** Does something. @param {string} name @param {object} wish */
export const act = async (name, wish) => (await send('/actions/' + name, {method: 'POST', body: JSON.stringify(wish)})).json();

/** Asks with this token from now on. */
export const use = t => { token = t; };
export const mine = () => token;

/** Follows what is asked for: lines go to on, several at a time. */
export async function watch(asked, on, signal) {
  const answer = await send('/watch?' + new URLSearchParams(asked), {signal});
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  proven = token;
  try {
    for (let rest = ''; ;) {
      const {value, done} = await reader.read();
      if (done) return;
      const lines = (rest + value).split('\n');
      rest = lines.pop();
      on(lines.filter(Boolean));
    }
  } finally {
    proven = '';
  }
}

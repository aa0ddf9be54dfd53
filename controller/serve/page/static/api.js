// How the page asks: with the token that it traded its link for, which stays in this tab.

let token = globalThis.sessionStorage?.getItem('token') ?? ''; // a worker has none

/** An answer that is no success, in the controller's words. */
export const refusal = (status, message) => Object.assign(new Error(message), {status});

async function send(path, init = {}) {
  const headers = {Accept: 'application/json', Authorization: 'Bearer ' + token};
  if (init.body) headers['Content-Type'] = 'application/json';
  let answer;
  try {
    answer = await fetch(path, {...init, headers, cache: 'no-store', credentials: 'omit', redirect: 'error'});
  } catch (e) {
    if (e.name === 'AbortError') throw e;
    throw refusal(0, 'the controller does not answer');
  }
  if (answer.ok) return answer;
  const said = await answer.json().catch(() => ({}));
  throw refusal(answer.status, said.message ?? answer.statusText);
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
  for (let rest = ''; ;) {
    const {value, done} = await reader.read();
    if (done) return;
    const lines = (rest + value).split('\n');
    rest = lines.pop();
    on(lines.filter(Boolean));
  }
}

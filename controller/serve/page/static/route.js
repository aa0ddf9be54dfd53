// Where somebody is stands in the address, and survives a reload.
import {el} from './dom.js';

export const SCREENS = [['now', 'Now'], ['plan', 'Plan'], ['gate', 'Gate'], ['memory', 'Memory']];
export const VIEWS = [['outline', 'Outline'], ['graph', 'Graph'], ['board', 'Board']];

/** What the address says: screen, plan, ref (what is open), view, open (groups), near and find. */
export function route() {
  const q = new URLSearchParams(location.hash.slice(1));
  const one = (all, name, or) => all.some(([s]) => s === q.get(name)) ? q.get(name) : or;
  return {screen: one(SCREENS, 'screen', 'now'), view: one(VIEWS, 'view', matchMedia('(max-width:760px)').matches ? 'outline' : 'graph'), plan: q.get('plan') ?? '', ref: q.get('ref') ?? '', open: q.getAll('open'), near: q.has('near'), find: q.get('find') ?? ''};
}

/** The address with something else in it. @param {object} change */
export function href(change) {
  const r = {...route(), ...change}, q = new URLSearchParams();
  for (const k of ['screen', 'view', 'plan', 'ref', 'find']) if (r[k]) q.set(k, r[k]);
  if (r.near) q.set('near', '1');
  for (const name of r.open) q.append('open', name);
  return '#' + q;
}

/** Goes there at once: a hash that is set is told behind the next frame. */
export const go = change => {
  const to = href(change);
  if (to === location.hash) return;
  history.pushState(null, '', to);
  dispatchEvent(new Event('hashchange'));
};

/** A link to what a reference names. */
export const link = (ref, text) => el('button.link', {ref}, text);

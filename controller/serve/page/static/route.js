// Where somebody is stands in the address, and survives a reload.
import {el} from './dom.js';

export const SCREENS = [['now', 'Now'], ['plan', 'Plan'], ['gate', 'Gate'], ['memory', 'Memory']];
/** What filters a list; each screen begins without. */
const FILTERS = ['find', 'agent', 'stage', 'state', 'label'];
export const CLEAR = Object.fromEntries(FILTERS.map(k => [k, '']));
export const VIEWS = [['outline', 'Outline'], ['graph', 'Graph'], ['board', 'Board']];

/** What the address says: screen, plan, ref (what is open), view, open (groups), near, and the filters of a list, also as one text. */
export function route() {
  const q = new URLSearchParams(location.hash.slice(1));
  const one = (all, name, or) => all.some(([s]) => s === q.get(name)) ? q.get(name) : or;
  const screen = one(SCREENS, 'screen', 'now'), by = Object.fromEntries(FILTERS.map(k => [k, screen !== 'now' && q.get(k) || '']));
  return {screen, view: one(VIEWS, 'view', matchMedia('(max-width:760px)').matches ? 'outline' : 'graph'), plan: q.get('plan') ?? '', ref: q.get('ref') ?? '', open: q.getAll('open'), near: q.has('near'), ...by, filter: Object.values(by).join('\n').trim()};
}

/** The address with something else in it. @param {object} change */
export function href(change) {
  const was = route(), r = {...was, ...(change.screen ?? was.screen) !== was.screen && CLEAR, ...change}, q = new URLSearchParams();
  for (const k of ['screen', 'view', 'plan', 'ref', ...FILTERS]) if (r[k]) q.set(k, r[k]);
  if (r.near) q.set('near', '1');
  for (const name of r.open) q.append('open', name);
  return '#' + q;
}

/** Goes there at once: a hash that is set is told behind the next frame. With instead, Back does not lead here. */
export const go = (change, instead) => {
  const to = href(change);
  if (to === location.hash) return;
  history[instead ? 'replaceState' : 'pushState'](null, '', to);
  dispatchEvent(new Event('hashchange'));
};

/** A link to what a reference names. */
export const link = (ref, text) => el('button.link', {ref}, text);

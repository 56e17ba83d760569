// The conformance page: a list that draws only the rows in sight, and a viewer for one case.
'use strict';

const ROW = 26;
const STATUSES = ['error', 'differs', 'near', 'exact', 'drawn'];
const KINDS = ['golden', 'ours', 'theirs', 'diff'];
const COLUMNS = [
  ['suite', row => row.suite, row => row.suite],
  ['name', row => row.name, row => row.name],
  ['status', row => STATUSES.indexOf(row.status), row => row.status],
  ['differ', row => row.differ ?? -1, row => row.differ ?? ''],
  ['> 4', row => row.over4 ?? -1, row => row.over4 ?? ''],
  ['largest', row => row.largest ?? -1, row => row.largest ?? ''],
  ['time', row => row.seconds, row => `${(row.seconds * 1000).toFixed(0)} ms`],
  ['memory', row => row.peak_bytes ?? 0, row => row.peak_bytes ? `${(row.peak_bytes / 1048576).toFixed(0)} MiB` : ''],
  ['draws', row => row.draws ?? -1, row => row.draws ?? ''],
];

const cases = [];
let shown = [];
let picked = null;
let run = {};
let order = { column: 2, down: false };
let viewer = null;

const $ = id => document.getElementById(id);

/** An element with attributes and children. */
function make(tag, attributes = {}, ...children) {
  const element = Object.assign(document.createElement(tag), attributes);
  element.append(...children);
  return element;
}

/** Called by cases.js for each case. */
function add(row) {
  row.id = `${row.suite}/${row.name}`;
  cases.push(row);
}

/** Called by cases.js in the end. */
function finish(about) {
  run = about;
  $('run').textContent = `${run.tool}, commit ${run.commit.slice(0, 12)}, ${cases.length} cases`;
  $('table').textContent = run.table;
  const options = (id, key) => [...new Set(cases.map(row => row[key]).filter(Boolean))].sort()
    .forEach(value => $(id).append(make('option', { value, textContent: value })));
  options('suite', 'suite');
  options('chip', 'chip');
  for (const status of STATUSES) {
    const count = cases.filter(row => row.status === status).length;
    const box = make('input', { type: 'checkbox', id: `is-${status}`, checked: true, disabled: count === 0 });
    $('statuses').append(make('label', { className: status }, box, ` ${status} ${count} `));
  }
  heads();
  $('filters').addEventListener('input', filter);
  $('filters').addEventListener('submit', event => event.preventDefault());
  $('list').addEventListener('scroll', paint);
  addEventListener('resize', paint);
  addEventListener('keydown', keys);
  addEventListener('hashchange', follow);
  filter();
  follow();
}

function heads() {
  COLUMNS.forEach(([name], column) => {
    const button = make('button', { textContent: name });
    button.addEventListener('click', () => {
      order = { column, down: order.column === column ? !order.down : column > 2 };
      filter();
    });
    $('head').append(button);
  });
}

function filter() {
  const text = $('search').value.trim();
  const escaped = text.replace(/[.+^${}()|[\]\\]/g, '\\$&').replace(/\*/g, '.*').replace(/\?/g, '.');
  const wanted = new RegExp(escaped, 'i');
  const [suite, chip] = [$('suite').value, $('chip').value];
  const statuses = new Set(STATUSES.filter(status => $(`is-${status}`).checked));
  shown = cases.filter(row => statuses.has(row.status) && (!suite || row.suite === suite)
    && (!chip || row.chip === chip) && (!text || wanted.test(row.id)));
  const key = COLUMNS[order.column][1];
  const sign = order.down ? -1 : 1;
  shown.sort((a, b) => sign * compare(key(a), key(b)) || compare(b.differ ?? 0, a.differ ?? 0) || compare(a.id, b.id));
  $('rows').style.height = `${shown.length * ROW}px`;
  $('count').textContent = `${shown.length} shown`;
  [...$('head').children].forEach((button, column) => {
    const arrow = order.column !== column ? '' : order.down ? ' ▼' : ' ▲';
    button.textContent = COLUMNS[column][0] + arrow;
  });
  paint();
}

function compare(a, b) {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Puts the rows in sight into the page. */
function paint() {
  const list = $('list');
  const first = Math.max(0, Math.floor(list.scrollTop / ROW) - 10);
  const rows = shown.slice(first, first + Math.ceil(list.clientHeight / ROW) + 20);
  $('window').style.top = `${first * ROW}px`;
  $('window').replaceChildren(...rows.map(row => {
    const cells = COLUMNS.map(([, , text]) => make('span', { textContent: text(row) }));
    cells[1].title = row.id;
    cells[2].className = row.status;
    const element = make('div', { className: row === picked ? 'row picked' : 'row' }, ...cells);
    element.addEventListener('click', () => pick(row));
    return element;
  }));
}

/** Opens the case that the address names. */
function follow() {
  const id = decodeURIComponent(location.hash.slice(1));
  const row = id && cases.find(row => row.id === id);
  if (row && row !== picked) pick(row);
}

function pick(row) {
  picked = row;
  viewer?.stop();
  history.replaceState(null, '', `#${encodeURIComponent(row.id)}`);
  const pictures = row.pictures ?? [];
  viewer = pictures.length ? new Viewer(row, pictures) : null;
  $('case').replaceChildren(
    make('h2', {}, row.id, ' ', make('span', { className: row.status, textContent: row.status })),
    ...(viewer ? [viewer.buttons, viewer.view] : []),
    facts(row), ...commands(row));
  viewer?.fit();
  paint();
}

function facts(row) {
  const list = make('dl');
  const fact = (name, ...value) => list.append(make('dt', { textContent: name }), make('dd', {}, ...value));
  if (row.error) fact(row.failure, row.error);
  if (row.differ) fact('differ', `${row.differ} of ${row.pixels} pixels, ${row.over4} by more than 4, most ${row.largest}`);
  if (row.first_x !== undefined) {
    fact('first pixel', `${row.first_x}, ${row.first_y}: expected `, swatch(row.first_expected), ', drew ', swatch(row.first_found));
  }
  if (row.first_draw !== undefined) fact('draw', `${row.first_draw}: ${row.first_why}`);
  if (row.why) fact('why', row.why);
  fact('chip', row.chip ?? 'unknown');
  fact('capture', row.capture);
  fact('BLAKE3', row.capture_blake3);
  return list;
}

function swatch(hex) {
  const color = make('span', { className: 'swatch' });
  color.style.background = `#${hex.slice(0, 6)}`;
  return make('span', {}, color, ` ${hex}`);
}

/** A word as a shell takes it. */
function quote(text) {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replace(/'/g, "'\\''")}'`;
}

function commands(row) {
  const capture = quote(row.capture);
  const lines = [];
  if (row.expected) lines.push(`isotherm compare ${capture} ${quote(row.expected)} --alpha`);
  if (row.first_x !== undefined) lines.push(`isotherm pixel ${capture} ${row.first_x} ${row.first_y}`);
  if (row.first_draw) lines.push(`isotherm dump ${capture} --draw ${row.first_draw} -o draw${row.first_draw}`);
  lines.push(`isotherm inspect ${capture} --open`);
  if (!row.expected) lines.push(`isotherm replay ${capture} -o ${quote(`${row.name}.png`)}`);
  const parts = lines.map(line => {
    const button = make('button', { textContent: 'copy' });
    button.addEventListener('click', () => copy(line, button));
    return make('div', { className: 'command' }, make('code', { textContent: line }), button);
  });
  if (run.inspector) {
    const place = new URLSearchParams({ capture: row.capture });
    if (row.first_draw) place.set('draw', row.first_draw);
    if (row.first_x !== undefined) place.set('pixel', `${row.first_x},${row.first_y}`);
    parts.push(make('p', {}, make('a', { href: `${run.inspector}#${place}`, textContent: 'open in the inspector' })));
  }
  return parts;
}

async function copy(text, button) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // Pages of files may not use the clipboard's interface: the old way.
    const area = make('textarea', { value: text });
    document.body.append(area);
    area.select();
    document.execCommand('copy');
    area.remove();
  }
  button.textContent = 'copied';
  setTimeout(() => { button.textContent = 'copy'; }, 1000);
}

/** Pictures of one case on top of each other, of which one is seen. */
class Viewer {
  constructor(row, kinds) {
    this.row = row;
    this.kinds = KINDS.filter(kind => kinds.includes(kind));
    this.scale = 1;
    this.x = this.y = 0;
    this.images = {};
    this.view = make('div', { className: 'view' });
    this.buttons = make('div', { className: 'buttons' });
    for (const kind of this.kinds) this.addPicture(kind);
    this.mark = make('div', { className: 'mark', hidden: row.first_x === undefined });
    this.view.append(this.mark);
    this.button('flicker', () => this.flicker());
    this.button('fit', () => this.fit());
    if (row.first_x !== undefined) this.button('first pixel', () => this.first());
    this.where = make('span', { className: 'hint' });
    this.buttons.append(this.where);
    this.listen();
    this.show(this.kinds.includes('ours') ? 'ours' : this.kinds[0]);
  }

  addPicture(kind) {
    const path = [run.pictures, ...this.row.suite.split('/'), `${this.row.name}.${kind}.png`];
    const image = make('img', { alt: kind, src: path.map(encodeURIComponent).join('/'), draggable: false });
    this.images[kind] = image;
    this.view.append(image);
    this.button(kind, () => { this.stop(); this.show(kind); }).dataset.kind = kind;
  }

  button(textContent, act) {
    const button = make('button', { textContent });
    button.addEventListener('click', act);
    this.buttons.append(button);
    return button;
  }

  listen() {
    this.view.addEventListener('wheel', event => {
      event.preventDefault();
      this.zoom(event.deltaY < 0 ? 2 : 0.5, event.offsetX, event.offsetY);
    }, { passive: false });
    let from = null;
    this.view.addEventListener('pointerdown', event => {
      from = [event.clientX - this.x, event.clientY - this.y];
      this.view.setPointerCapture(event.pointerId);
    });
    this.view.addEventListener('pointerup', () => { from = null; });
    this.view.addEventListener('pointermove', event => {
      if (from) {
        [this.x, this.y] = [event.clientX - from[0], event.clientY - from[1]];
        this.place();
      }
      const box = this.view.getBoundingClientRect();
      const at = [event.clientX - box.left - this.x, event.clientY - box.top - this.y];
      this.where.textContent = at.map(value => Math.floor(value / this.scale)).join(', ');
    });
  }

  /** Shows one picture. */
  show(kind) {
    if (!this.images[kind]) return;
    this.kind = kind;
    for (const [name, image] of Object.entries(this.images)) image.classList.toggle('shown', name === kind);
    for (const button of this.buttons.querySelectorAll('[data-kind]')) {
      button.setAttribute('aria-pressed', button.dataset.kind === kind);
    }
  }

  /** Shows golden, ours and theirs in turn. */
  flicker() {
    if (this.timer) return this.stop();
    const turn = this.kinds.filter(kind => kind !== 'diff');
    this.timer = setInterval(() => {
      this.show(turn[(turn.indexOf(this.kind) + 1) % turn.length]);
    }, 400);
  }

  stop() {
    clearInterval(this.timer);
    this.timer = 0;
  }

  zoom(factor, x, y) {
    const scale = Math.min(64, Math.max(0.125, this.scale * factor));
    this.x = x - (x - this.x) * scale / this.scale;
    this.y = y - (y - this.y) * scale / this.scale;
    this.scale = scale;
    this.place();
  }

  fit() {
    const { width = 640, height = 480 } = this.row;
    this.scale = Math.min(this.view.clientWidth / width, this.view.clientHeight / height);
    this.x = (this.view.clientWidth - width * this.scale) / 2;
    this.y = (this.view.clientHeight - height * this.scale) / 2;
    this.place();
  }

  /** The first differing pixel in the middle, large. */
  first() {
    if (this.row.first_x === undefined) return;
    this.scale = 16;
    this.x = this.view.clientWidth / 2 - (this.row.first_x + 0.5) * this.scale;
    this.y = this.view.clientHeight / 2 - (this.row.first_y + 0.5) * this.scale;
    this.place();
  }

  place() {
    const transform = `translate(${this.x}px, ${this.y}px) scale(${this.scale})`;
    for (const image of Object.values(this.images)) image.style.transform = transform;
    const left = this.x + this.row.first_x * this.scale;
    const top = this.y + this.row.first_y * this.scale;
    this.mark.style.transform = `translate(${left}px, ${top}px)`;
    this.mark.style.width = this.mark.style.height = `${this.scale}px`;
  }
}

function keys(event) {
  if (event.target.matches('input[type=search], select')) return;
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  const acts = { ' ': () => viewer?.flicker(), 0: () => viewer?.fit(), f: () => viewer?.first() };
  const kind = KINDS[Number(event.key) - 1];
  if (step) {
    const at = Math.min(shown.length - 1, Math.max(0, shown.indexOf(picked) + step));
    if (shown[at]) pick(shown[at]);
    const top = at * ROW;
    const list = $('list');
    if (top < list.scrollTop || top > list.scrollTop + list.clientHeight - 3 * ROW) list.scrollTop = top - list.clientHeight / 2;
  } else if (kind) {
    viewer?.stop();
    viewer?.show(kind);
  } else if (acts[event.key] && !event.ctrlKey && !event.metaKey) {
    acts[event.key]();
  } else {
    return;
  }
  event.preventDefault();
}

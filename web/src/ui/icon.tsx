// The few pictures of the page: strokes of one weight on a 16 x 16 field.

const kPaths = {
  search: 'M11 11l3.5 3.5M12.5 7.25a5.25 5.25 0 1 1-10.5 0 5.25 5.25 0 0 1 10.5 0z',
  sun: 'M8 4.8a3.2 3.2 0 1 0 0 6.4 3.2 3.2 0 0 0 0-6.4zM8 1v1.5M8 13.5V15M1 8h1.5M13.5 8H15M3 3l1.1 1.1M11.9 11.9L13 13M3 13l1.1-1.1M11.9 4.1L13 3',
  moon: 'M13.5 9.8A6 6 0 0 1 6.2 2.5a6 6 0 1 0 7.3 7.3z',
  close: 'M3.5 3.5l9 9M12.5 3.5l-9 9',
  menu: 'M2 4.5h12M2 8h12M2 11.5h12',
  more: 'M3 8h.01M8 8h.01M13 8h.01',
  down: 'M3.5 6l4.5 4.5L12.5 6',
  up: 'M3.5 10.5L8 6l4.5 4.5',
  right: 'M6 3.5l4.5 4.5L6 12.5',
  left: 'M10 3.5L5.5 8l4.5 4.5',
  copy: 'M5.5 5.5v-3h8v8h-3M2.5 5.5h8v8h-8z',
  check: 'M2.5 8.5l3.5 3.5 7.5-8',
  pause: 'M5 3v10M11 3v10',
  play: 'M4.5 2.5v11l9-5.5z',
  plus: 'M8 2.5v11M2.5 8h11',
  save: 'M8 2v8M4.5 7L8 10.5 11.5 7M2.5 13.5h11',
  table: 'M2 3h12v10H2zM2 6.3h12M2 9.7h12M6 3v10',
  external: 'M9.5 2.5h4v4M13.5 2.5L7.5 8.5M11.5 9.5v4h-9v-9h4',
  filter: 'M2 3h12l-4.5 5.5v4.5l-3 1.5V8.5z',
  star: 'M8 1.8l1.9 4 4.4.6-3.2 3 .8 4.4L8 11.7l-3.9 2.1.8-4.4-3.2-3 4.4-.6z',
  folder: 'M1.5 13V3h4.5l1.5 2h7v8z',
  help: 'M6 6a2 2 0 1 1 2.7 1.9c-.5.2-.7.5-.7 1v.4M8 11.8h.01M14.5 8a6.5 6.5 0 1 1-13 0 6.5 6.5 0 0 1 13 0z',
} as const;

export type IconName = keyof typeof kPaths;

export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 16 16" aria-hidden="true" focusable="false">
      <path d={kPaths[name]} />
    </svg>
  );
}

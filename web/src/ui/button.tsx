import type { ButtonHTMLAttributes, ComponentChildren } from 'preact';
import { Icon, type IconName } from './icon';

interface Props extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'icon' | 'label'> {
  kind?: 'plain' | 'primary' | 'danger' | 'quiet';
  icon?: IconName;
  /** The accessible name of a button that shows an icon only; also its tooltip. */
  label?: string;
  type?: 'button' | 'submit';
  disabled?: boolean;
  children?: ComponentChildren;
}

export function Button({ kind = 'plain', icon, label, type = 'button', children, ...rest }: Props) {
  return (
    <button type={type} class={`button ${kind}${children ? '' : ' square'}`} aria-label={label} title={label} {...rest}>
      {icon && <Icon name={icon} />}
      {children}
    </button>
  );
}

/** One of a few values, as a row of radio buttons that looks like one control. */
export function Choice<T extends string>(props: {
  label: string;
  value: T;
  options: readonly { value: T; text: string }[];
  onChange: (value: T) => void;
}) {
  return (
    <div class="choice" role="radiogroup" aria-label={props.label}>
      {props.options.map(({ value, text }) => (
        <button
          type="button"
          role="radio"
          aria-checked={value === props.value}
          tabIndex={value === props.value ? 0 : -1}
          onClick={() => props.onChange(value)}
          onKeyDown={(event) => {
            const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
            if (!step) return;
            event.preventDefault();
            const at = props.options.findIndex((option) => option.value === props.value);
            const next = (at + step + props.options.length) % props.options.length;
            props.onChange(props.options[next]!.value);
            (event.currentTarget.parentElement!.children[next] as HTMLElement).focus();
          }}
        >
          {text}
        </button>
      ))}
    </div>
  );
}

/** A switch that reads as a word, for example `log`; `label` says more. */
export function Toggle(props: { text: string; label?: string; on: boolean; onChange: (on: boolean) => void }) {
  return (
    <button
      type="button"
      class="button quiet toggle"
      aria-pressed={props.on}
      title={props.label}
      onClick={() => props.onChange(!props.on)}
    >
      {props.text}
    </button>
  );
}

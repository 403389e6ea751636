// The command that does the same, with a button that copies it.
import { useState } from 'preact/hooks';
import { Icon } from './icon';

export async function copyText(text: string): Promise<void> {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  // Without a secure context there is only the old way.
  const area = document.createElement('textarea');
  area.value = text;
  area.className = 'off-screen';
  document.body.append(area);
  area.select();
  document.execCommand('copy');
  area.remove();
}

export function Command({ text }: { text: string }) {
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    await copyText(text);
    setCopied(true);
    setTimeout(() => setCopied(false), 1500);
  };
  return (
    <span class="command">
      <code tabIndex={0} role="group" aria-label="Command">
        {text}
      </code>
      <button type="button" class="button quiet square" aria-label="Copy the command" title="Copy the command" onClick={copy}>
        <Icon name={isCopied ? 'check' : 'copy'} />
      </button>
      <span class="off-screen" role="status">
        {isCopied ? 'Copied' : ''}
      </span>
    </span>
  );
}

// Values by name that people and programs keep with a study or a trial.
import { shownAttributes } from '../trial_message';

/** Longer values scroll, which the keyboard must be able to do, too. */
const kLong = 200;

export function Attributes({ attributes }: { attributes: Record<string, string> | undefined }) {
  const shown = shownAttributes(attributes);
  if (shown.length === 0) return null;
  return (
    <table class="plain-table attributes-table">
      <thead>
        <tr>
          <th scope="col">Attribute</th>
          <th scope="col">Value</th>
        </tr>
      </thead>
      <tbody>
        {shown.map(([name, value]) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td>
              <div class="lines" tabIndex={value.length > kLong ? 0 : undefined}>
                {value}
              </div>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

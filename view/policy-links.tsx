import { SIGNIN } from '#domain/language/en.ts';
import { POLICY_PATHS } from '#domain/path.ts';

const POLICIES = ['privacy', 'terms', 'refund', 'shipping'] as const;

interface PolicyLinksProps {
  readonly names?: Readonly<Record<(typeof POLICIES)[number], string>>;
}

export function PolicyLinks({ names = SIGNIN.policies }: PolicyLinksProps) {
  return (
    <ul>
      {POLICIES.map((policy) => (
        <li key={policy}>
          <a href={POLICY_PATHS[policy]}>{names[policy]}</a>
        </li>
      ))}
    </ul>
  );
}

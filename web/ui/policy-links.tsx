import { POLICY_PATHS } from '#domain/path.ts';

export const POLICIES = {
  privacy: { path: POLICY_PATHS.privacy, name: 'Privacy' },
  terms: { path: POLICY_PATHS.terms, name: 'Terms' },
  refund: { path: POLICY_PATHS.refund, name: 'Cancellation and refund' },
  shipping: { path: POLICY_PATHS.shipping, name: 'Shipping and delivery' },
} as const;

export function PolicyLinks() {
  return (
    <ul>
      {Object.values(POLICIES).map(({ path, name }) => (
        <li key={path}>
          <a href={path}>{name}</a>
        </li>
      ))}
    </ul>
  );
}

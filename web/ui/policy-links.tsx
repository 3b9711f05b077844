export const POLICIES = {
  privacy: { path: '/privacy_policy', name: 'Privacy' },
  terms: { path: '/terms_conditions', name: 'Terms' },
  refund: { path: '/Cancellation_Refund', name: 'Cancellation and refund' },
  shipping: { path: '/Shipping_delivery', name: 'Shipping and delivery' },
} as const;

/** A list of links to the policies, and to support if `supportEmail` is given. */
export function PolicyLinks({ supportEmail }: { readonly supportEmail?: string }) {
  return (
    <ul>
      {Object.values(POLICIES).map(({ path, name }) => (
        <li key={path}>
          <a href={path}>{name}</a>
        </li>
      ))}
      {supportEmail !== undefined && (
        <li>
          <a href={`mailto:${supportEmail}`}>Support</a>
        </li>
      )}
    </ul>
  );
}

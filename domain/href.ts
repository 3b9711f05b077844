/** Escapes the email (RFC 6068), so that it can add no header and no other recipient. */
export function mailHref(email: string): string {
  return `mailto:${encodeURIComponent(email.trim()).replaceAll('%40', '@').replaceAll('%2B', '+')}`;
}

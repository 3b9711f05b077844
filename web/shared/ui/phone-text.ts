import { useQuery } from '@tanstack/react-query';

import type { Contact } from '#contract/contact.ts';
import { readPhone } from '#domain/phone.ts';
import type { Phone } from '#domain/phone.ts';

const AS_TYPED = { formatPhone: (phone: string) => phone };

/**
 * Returns a function that formats a phone in the way of its country. Until the library has loaded, or if it
 * cannot be loaded, the function returns the phone as typed.
 */
export function usePhoneFormat() {
  const { data } = useQuery({
    queryKey: ['phones'],
    queryFn: () => import('#view/phone-format.ts'),
    staleTime: Infinity,
  });
  return data ?? AS_TYPED;
}

/** Returns the parsed phone. A server of version 2.0.0 sends none, so the digits are used as entered. */
export const contactPhone = ({ phone, mobile }: Pick<Contact, 'phone' | 'mobile'>): Phone =>
  phone ?? readPhone(mobile);

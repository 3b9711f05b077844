import { useQuery } from '@tanstack/react-query';

import { telephoneHref } from '#domain/href.ts';

const asTyped = (phone: string) => phone;
const AS_TYPED = { formatPhone: asTyped, phoneHref: telephoneHref, toE164: asTyped };

/** Writes a phone as its country does; as typed until the library has loaded, or if it fails to. */
export function usePhones() {
  const { data } = useQuery({
    queryKey: ['phones'],
    queryFn: () => import('#view/phone-format.ts'),
    staleTime: Infinity,
  });
  return data ?? AS_TYPED;
}

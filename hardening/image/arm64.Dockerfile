# The base for another architecture, of which no program is run: Debian's packages are only unpacked.
FROM scratch
ADD root.tar /
COPY node/package/bin/node /usr/local/bin/node
COPY passwd group /etc/

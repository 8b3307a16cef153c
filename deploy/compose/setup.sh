#!/bin/sh
# Creates the sandbox's passwords, encryption key and certificates, once. Runs in the PostgreSQL image, which has openssl.
set -eu
umask 022
cd /run/sandbox
[ -e complete ] && exit 0

password=$(openssl rand -hex 24)
printf '%s' "$password" > database_password
printf '"social_connect" "%s"\n' "$password" > pgbouncer_users
echo "postgres://social_connect:$password@pgbouncer:6432/social_connect" > database_url
echo "postgres://social_connect:$password@database:5432/social_connect" > database_direct_url
echo "sandbox-1:$(openssl rand -base64 32)" > encryption_keys

# A certificate authority of this sandbox and a certificate for its names.
names='DNS:social-connect.localhost,DNS:provider-a.localhost,DNS:provider-b.localhost,DNS:provider-c.localhost'
names="$names,DNS:simulator.localhost,DNS:localhost,IP:127.0.0.1"
openssl req -x509 -newkey rsa:2048 -nodes -days 365 -subj '/CN=Social Connect sandbox' -keyout ca.key -out ca.crt \
  -addext basicConstraints=critical,CA:TRUE -addext keyUsage=critical,keyCertSign,cRLSign
openssl req -newkey rsa:2048 -nodes -subj '/CN=social-connect.localhost' -keyout tls.key -out tls.csr
printf 'subjectAltName=%s\nbasicConstraints=CA:FALSE\nextendedKeyUsage=serverAuth\n' "$names" > extensions
openssl x509 -req -in tls.csr -CA ca.crt -CAkey ca.key -CAcreateserial -days 365 -extfile extensions -out tls.crt
rm -f ca.key ca.srl tls.csr extensions
# Only containers of this sandbox mount the volume; they run as different users.
chmod 644 -- *
touch complete

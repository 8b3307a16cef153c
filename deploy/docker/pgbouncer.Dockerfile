# PgBouncer from Debian, run by its own user:
#
#   docker build -f deploy/docker/pgbouncer.Dockerfile -t social-connect-pgbouncer:local deploy
FROM debian:12.12-slim
RUN apt-get update \
 && apt-get install --yes --no-install-recommends pgbouncer \
 && rm -rf /var/lib/apt/lists/* /var/cache/apt/*
USER postgres
EXPOSE 6432
ENTRYPOINT ["/usr/sbin/pgbouncer"]
CMD ["/etc/pgbouncer/pgbouncer.ini"]

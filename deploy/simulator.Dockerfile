# syntax=docker/dockerfile:1
# The simulated gateway. Node runs its sources as they are.
# Build from the repository's root: docker build -f deploy/simulator.Dockerfile -t gapura-simulator .
FROM node:24-bookworm-slim
WORKDIR /app
COPY packages/simulator/package.json ./
COPY packages/simulator/src src
ENV SIMULATOR_HOST=0.0.0.0 \
    SIMULATOR_PORT=4010
USER 1000:1000
EXPOSE 4010
HEALTHCHECK --interval=15s --timeout=5s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:4010/_sim/settings').then((reply) => process.exit(reply.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "src/main.ts"]

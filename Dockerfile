# The image of the chart in deploy/helm/trimtab: the packed package, nothing else, as a user that may write nowhere.
#   docker build --tag registry.example/trimtab:0.1.0 .
FROM node:24-slim AS pack
WORKDIR /source
COPY package.json package-lock.json ./
RUN npm install --no-save --ignore-scripts --no-audit --no-fund
COPY . .
RUN npm run build && npm pack --ignore-scripts --pack-destination /packed

FROM node:24-slim AS install
COPY --from=pack /packed /packed
# Only what running takes; native modules come prebuilt, so no script has to run.
RUN npm install --global --prefix /opt/trimtab --omit=dev --ignore-scripts --no-audit --no-fund /packed/*.tgz

FROM node:24-slim
COPY --from=install /opt/trimtab /opt/trimtab
ENV NODE_ENV=production
USER 65532:65532
WORKDIR /
ENTRYPOINT ["/opt/trimtab/bin/trimtab"]

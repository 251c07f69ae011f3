# docker build --build-arg VERSION=v1.2.3 --tag diffrun .
# docker run --rm --volume "$PWD:/work" diffrun run suites/backups
FROM --platform=$BUILDPLATFORM golang:1.26 AS build
ARG TARGETOS=linux
ARG TARGETARCH=amd64
ARG VERSION
ARG COMMIT
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
RUN make static GOOS="$TARGETOS" GOARCH="$TARGETARCH" VERSION="$VERSION" COMMIT="$COMMIT" OUT=/diffrun

FROM gcr.io/distroless/static-debian12:nonroot
COPY --from=build /diffrun /usr/local/bin/diffrun
USER 65532:65532
WORKDIR /work
ENTRYPOINT ["/usr/local/bin/diffrun"]
CMD ["--help"]

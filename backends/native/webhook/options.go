package webhook

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net/url"
	"os"
)

// Options selects the webhook. Only URL is required.
type Options struct {
	// URL is the address of the webhook, http or https.
	URL string
	// CAFile has the CA certificates, in PEM, that sign the server's certificate; empty:
	// those of the system.
	CAFile string
	// ServerName is the name in the server's certificate; empty: the host of the URL. A
	// webhook in a cluster has a certificate for the name of its service.
	ServerName string
	// CertFile and KeyFile have the client certificate and its key, in PEM. Set both or neither.
	CertFile, KeyFile string
	// TokenFile has a bearer token. It is read for each request.
	TokenFile string
}

// check returns the TLS configuration of the client, or everything that is wrong with the options.
func (o Options) check() (*tls.Config, error) {
	var mistakes []error
	isTLS, err := o.checkURL()
	mistakes = append(mistakes, err)
	if !isTLS && err == nil && (o.CAFile != "" || o.CertFile != "" || o.KeyFile != "" || o.ServerName != "") {
		mistakes = append(mistakes, fmt.Errorf("caFile, serverName, certFile and keyFile need an https url; this one is %q", o.URL))
	}
	security := &tls.Config{MinVersion: tls.VersionTLS12, ServerName: o.ServerName}
	if o.CAFile != "" {
		security.RootCAs, err = readCAs(o.CAFile)
		mistakes = append(mistakes, err)
	}
	switch {
	case o.CertFile != "" && o.KeyFile != "":
		certificate, err := tls.LoadX509KeyPair(o.CertFile, o.KeyFile)
		if err != nil {
			mistakes = append(mistakes, fmt.Errorf("certFile and keyFile: %w", err))
		}
		security.Certificates = []tls.Certificate{certificate}
	case o.CertFile != "":
		mistakes = append(mistakes, errors.New("certFile needs a keyFile"))
	case o.KeyFile != "":
		mistakes = append(mistakes, errors.New("keyFile needs a certFile"))
	}
	if o.TokenFile != "" {
		_, err := readToken(o.TokenFile)
		mistakes = append(mistakes, err)
	}
	return security, errors.Join(mistakes...)
}

func (o Options) checkURL() (isTLS bool, err error) {
	if o.URL == "" {
		return false, errors.New("url is missing; set the URL of the webhook, for instance https://127.0.0.1:9443/validate")
	}
	to, err := url.Parse(o.URL)
	switch {
	case err != nil || to.Scheme != "http" && to.Scheme != "https" || to.Host == "":
		return false, fmt.Errorf("url %q is not the URL of a webhook; accepted: http or https, host and path, for instance "+
			"https://127.0.0.1:9443/validate", o.URL)
	case to.User != nil:
		return false, errors.New("url has a password, which would show in reports; use tokenFile, or certFile and keyFile")
	}
	return to.Scheme == "https", nil
}

func readCAs(file string) (*x509.CertPool, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("caFile: %w", err)
	}
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM(data) {
		return nil, fmt.Errorf("caFile: %s has no certificate in PEM", file)
	}
	return pool, nil
}

package etcdengine

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"math"
	"net"
	"net/url"
	"os"
	"runtime"
	"time"

	clientv3 "go.etcd.io/etcd/client/v3"
	"go.uber.org/zap"

	"github.com/idumb-dev/idumb/controller/sync/engine"
	"github.com/idumb-dev/idumb/controller/sync/engine/progengine"
)

// Connection parameters. A dead connection, for example after the machine was
// suspended, is detected by keepalive.
const (
	dialPatience  = 5 * time.Second
	aliveEvery    = 30 * time.Second
	alivePatience = 10 * time.Second
	privateFile   = 0o077 // permission bits that a key file must not have
)

// Dial returns a client of the etcd with these connection parameters. It
// connects on first use. An error in the user's settings is an
// *engine.PersonError.
func Dial(place progengine.Place) (*clientv3.Client, error) {
	secure, err := tlsOf(place)
	if err == nil {
		err = endpoints(place.Endpoints, secure != nil)
	}
	if err != nil {
		return nil, settingsWrong(err)
	}
	return clientv3.New(clientv3.Config{
		Endpoints: place.Endpoints, TLS: secure, Logger: zap.NewNop(), DialTimeout: dialPatience,
		DialKeepAliveTime: aliveEvery, DialKeepAliveTimeout: alivePatience,
		MaxCallRecvMsgSize: math.MaxInt32,
	})
}

// settingsWrong marks an error of the user's settings.
func settingsWrong(err error) error {
	return &engine.PersonError{Err: err, Step: "correct your sync.json, then run idumb sync now"}
}

// endpoints validates the addresses. A server on the network must authenticate
// itself, and the connection must be encrypted.
func endpoints(all []string, secure bool) error {
	if len(all) == 0 {
		return errors.New("no etcd endpoint is configured")
	}
	for _, address := range all {
		u, err := url.Parse(address)
		switch {
		case err != nil || u.Host == "":
			return fmt.Errorf("invalid etcd endpoint %q; use the form https://HOST:2379", address)
		case u.User != nil || u.Path != "" || u.RawQuery != "":
			return fmt.Errorf("invalid etcd endpoint %s; use https://HOST:PORT without user, path or query", u.Redacted())
		case u.Scheme == "https" && secure:
		case u.Scheme == "http" && !secure && loopback(u.Hostname()):
		case u.Scheme == "http" && secure:
			return fmt.Errorf("%s disables TLS, but a certificate is configured; use https://", address)
		case u.Scheme == "https":
			return fmt.Errorf("%s requires a certificate, but no certificate is configured", address)
		default:
			return fmt.Errorf("%s is not on this machine and does not use https: the connection could be read and forged on the network", address)
		}
	}
	return nil
}

// loopback reports whether a host is this machine: localhost or a loopback address.
func loopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// tlsOf returns the TLS configuration, or nil without a certificate.
func tlsOf(place progengine.Place) (*tls.Config, error) {
	if place.Cert == "" && place.Key == "" && place.CA == "" {
		return nil, nil
	}
	if info, err := os.Stat(place.Key); err == nil && runtime.GOOS != "windows" && info.Mode().Perm()&privateFile != 0 {
		return nil, fmt.Errorf("other users of this machine can read your key %s; run chmod 600 %[1]s", place.Key)
	}
	pair, err := tls.LoadX509KeyPair(place.Cert, place.Key)
	if err != nil {
		return nil, fmt.Errorf("load the client certificate: %w", err)
	}
	c := &tls.Config{Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS12}
	if place.CA == "" {
		return c, nil
	}
	data, err := os.ReadFile(place.CA)
	if err != nil {
		return nil, fmt.Errorf("read the CA certificate: %w", err)
	}
	c.RootCAs = x509.NewCertPool()
	if !c.RootCAs.AppendCertsFromPEM(data) {
		return nil, fmt.Errorf("%s contains no certificate", place.CA)
	}
	return c, nil
}

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
	return &engine.PersonError{Err: err, Step: "mend your sync.json, then run idumb sync now"}
}

// endpoints validates the addresses. A server on the network must authenticate
// itself, and the connection must be encrypted.
func endpoints(all []string, secure bool) error {
	if len(all) == 0 {
		return errors.New("no address of an etcd is named")
	}
	for _, address := range all {
		u, err := url.Parse(address)
		switch {
		case err != nil || u.Host == "":
			return fmt.Errorf("%q is no address of an etcd, as https://HOST:2379 is one", address)
		case u.User != nil || u.Path != "" || u.RawQuery != "":
			return fmt.Errorf("the address of an etcd is https://HOST:PORT alone, and %s is more", u.Redacted())
		case u.Scheme == "https" && secure:
		case u.Scheme == "http" && !secure && loopback(u.Hostname()):
		case u.Scheme == "http" && secure:
			return fmt.Errorf("%s is to be reached without TLS, and there is a certificate; write https://", address)
		case u.Scheme == "https":
			return fmt.Errorf("%s asks for a certificate, and none is named", address)
		default:
			return fmt.Errorf("%s is not on this machine, and not reached by https: everybody on the way could read it, and answer", address)
		}
	}
	return nil
}

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
		return nil, fmt.Errorf("others on this machine may read your key %s; chmod 600 it", place.Key)
	}
	pair, err := tls.LoadX509KeyPair(place.Cert, place.Key)
	if err != nil {
		return nil, fmt.Errorf("your certificate for the etcd: %w", err)
	}
	c := &tls.Config{Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS12}
	if place.CA == "" {
		return c, nil
	}
	data, err := os.ReadFile(place.CA)
	if err != nil {
		return nil, fmt.Errorf("the authority of the etcd's certificate: %w", err)
	}
	c.RootCAs = x509.NewCertPool()
	if !c.RootCAs.AppendCertsFromPEM(data) {
		return nil, fmt.Errorf("%s holds no certificate", place.CA)
	}
	return c, nil
}

package etcdengine

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"strings"

	"go.etcd.io/etcd/api/v3/v3rpc/rpctypes"

	"github.com/idumb-dev/idumb/controller/sync/engine"
)

// rights lists etcd's errors for missing permissions.
var rights = []error{
	rpctypes.ErrPermissionDenied, rpctypes.ErrUserEmpty, rpctypes.ErrUserNotFound, rpctypes.ErrInvalidAuthToken, rpctypes.ErrAuthFailed, rpctypes.ErrPermissionNotGranted,
}

// failure wraps an error of etcd. It adds the next step if waiting does not
// resolve the error.
func (e *Engine) failure(verb string, err error) error {
	if err == nil {
		return nil
	}
	said := fmt.Errorf("etcd %s: %w", verb, err)
	if errors.Is(err, rpctypes.ErrNoSpace) {
		return fmt.Errorf("etcd is full (NOSPACE) and accepts no changes: its administrator must compact and defragment it and disarm the alarm (etcdctl alarm): %w", said)
	}
	for _, right := range rights {
		if errors.Is(err, right) {
			return &engine.PersonError{Err: said, Step: "ask the etcd administrator to grant your certificate's user a role for " + e.prefix + ", then run idumb sync now"}
		}
	}
	if certificate(err) {
		return &engine.PersonError{Err: said, Step: "check that the certificate, key and CA in your sync.json belong to this etcd, then run idumb sync now"}
	}
	return said
}

// certificate reports whether one side rejected the other's certificate. gRPC
// passes errors of crypto/tls on as text.
func certificate(err error) bool {
	var verification *tls.CertificateVerificationError
	var authority x509.UnknownAuthorityError
	if errors.As(err, &verification) || errors.As(err, &authority) {
		return true
	}
	said := err.Error()
	return strings.Contains(said, "x509: ") || strings.Contains(said, "tls: certificate required") || strings.Contains(said, "tls: bad certificate") ||
		strings.Contains(said, "tls: unknown certificate")
}

package kube

import (
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"path"
	"time"

	"github.com/idumb-dev/idumb/controller/store/layout"
)

const (
	// accessFile holds the keys and the token of the API. Only its owner can
	// read it.
	accessFile = layout.KubeDir + "/access.json"
	// openFile exists while the API is in use; the next controller then opens
	// it again.
	openFile = layout.KubeDir + "/open"
	// maxAccess is the maximum size of accessFile, in bytes.
	maxAccess = 64 << 10
)

// access holds the keys, the token and the port of the API. It is kept across
// controller restarts.
type access struct {
	CA          []byte `json:"ca"`          // PEM; its key is discarded after signing
	Certificate []byte `json:"certificate"` // PEM, of the server
	Key         []byte `json:"key"`         // PEM, of the server
	Token       string `json:"token"`
	Port        int    `json:"port"` // 0 means any
}

// loadAccess reads the access data of the last controller. It creates new data
// if the file is missing, readable by others, or about to expire. Clients then
// need a new kubeconfig.
func loadAccess(root layout.Root, now time.Time) (access, error) {
	data, info, err := root.Read(accessFile, maxAccess)
	if err == nil && info.Mode.Perm()&0o077 == 0 {
		var a access
		if json.Unmarshal(data, &a) == nil && len(a.Token) >= tokenBytes && a.Port >= 0 && a.Port < 1<<16 && isValid(&a, now) {
			return a, nil
		}
	}
	a, err := newCertificates(now)
	if err != nil {
		return access{}, fmt.Errorf("make the keys of the Kubernetes API: %w", err)
	}
	a.Token = newToken()
	return a, nil
}

// save writes the access data for the next controller.
func (a *access) save(root layout.Root) error {
	data, err := json.MarshalIndent(a, "", "  ")
	if err != nil {
		return err
	}
	folder, err := root.Make(layout.KubeDir)
	if err != nil {
		return err
	}
	defer folder.Close()
	return folder.ReplaceDurably(path.Base(accessFile), data, 0o600)
}

// tokenBytes is the number of random bytes in a token.
const tokenBytes = 32

// newToken returns a random token.
func newToken() string {
	var b [tokenBytes]byte
	rand.Read(b[:])
	return base64.RawURLEncoding.EncodeToString(b[:])
}

package memstore_test

import (
	"testing"

	"github.com/idumb-dev/idumb/controller/store"
	"github.com/idumb-dev/idumb/controller/store/memstore"
	"github.com/idumb-dev/idumb/controller/store/storetest"
)

func TestConformance(t *testing.T) {
	storetest.Conformance(t, func(*testing.T) store.Store { return memstore.New() })
}

package thin

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"testing"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/conversion"
	"sigs.k8s.io/controller-runtime/pkg/envtest"
	"sigs.k8s.io/controller-runtime/pkg/metrics/server"
	"sigs.k8s.io/controller-runtime/pkg/webhook"
)

// A Crate said in v1alpha1 what it weighs as a number of grams, and says so in v1 as a text with a unit.
var (
	oldCrates = schema.GroupVersion{Group: "storage.shipping.example.com", Version: "v1alpha1"}
	newCrates = schema.GroupVersion{Group: oldCrates.Group, Version: "v1"}
)

type OldCrate struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              OldCrateSpec `json:"spec"`
}

type OldCrateSpec struct {
	Grams int `json:"grams"`
}

type Crate struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              CrateSpec `json:"spec"`
}

type CrateSpec struct {
	Weight string `json:"weight"`
}

func (c *OldCrate) DeepCopyObject() runtime.Object {
	copied := *c
	c.ObjectMeta.DeepCopyInto(&copied.ObjectMeta)
	return &copied
}

func (c *Crate) DeepCopyObject() runtime.Object {
	copied := *c
	c.ObjectMeta.DeepCopyInto(&copied.ObjectMeta)
	return &copied
}

func (*Crate) Hub() {}

func (c *OldCrate) ConvertTo(hub conversion.Hub) error {
	crate := hub.(*Crate)
	crate.ObjectMeta = c.ObjectMeta
	crate.Spec.Weight = fmt.Sprintf("%dg", c.Spec.Grams)
	return nil
}

func (c *OldCrate) ConvertFrom(hub conversion.Hub) error {
	crate := hub.(*Crate)
	grams, err := strconv.Atoi(strings.TrimSuffix(crate.Spec.Weight, "g"))
	if err != nil {
		return fmt.Errorf("the weight %q is no number of grams", crate.Spec.Weight)
	}
	c.ObjectMeta = crate.ObjectMeta
	c.Spec.Grams = grams
	return nil
}

func crateScheme() *runtime.Scheme {
	scheme := runtime.NewScheme()
	scheme.AddKnownTypeWithName(oldCrates.WithKind("Crate"), &OldCrate{})
	scheme.AddKnownTypeWithName(newCrates.WithKind("Crate"), &Crate{})
	metav1.AddToGroupVersion(scheme, oldCrates)
	metav1.AddToGroupVersion(scheme, newCrates)
	return scheme
}

func crateDefinition() *apiextensionsv1.CustomResourceDefinition {
	version := func(name, field string, of string, stored bool) apiextensionsv1.CustomResourceDefinitionVersion {
		return apiextensionsv1.CustomResourceDefinitionVersion{
			Name: name, Served: true, Storage: stored,
			Schema: &apiextensionsv1.CustomResourceValidation{OpenAPIV3Schema: &apiextensionsv1.JSONSchemaProps{
				Type: "object",
				Properties: map[string]apiextensionsv1.JSONSchemaProps{"spec": {
					Type:       "object",
					Properties: map[string]apiextensionsv1.JSONSchemaProps{field: {Type: of}},
				}},
			}},
		}
	}
	return &apiextensionsv1.CustomResourceDefinition{
		ObjectMeta: metav1.ObjectMeta{Name: "crates." + oldCrates.Group},
		Spec: apiextensionsv1.CustomResourceDefinitionSpec{
			Group: oldCrates.Group,
			Scope: apiextensionsv1.NamespaceScoped,
			Names: apiextensionsv1.CustomResourceDefinitionNames{
				Plural: "crates", Singular: "crate", Kind: "Crate", ListKind: "CrateList",
			},
			Versions: []apiextensionsv1.CustomResourceDefinitionVersion{
				version("v1alpha1", "grams", "integer", false),
				version("v1", "weight", "string", true),
			},
		},
	}
}

func TestConversion(t *testing.T) {
	scheme := crateScheme()
	environment := &envtest.Environment{
		Scheme:            scheme,
		CRDInstallOptions: envtest.CRDInstallOptions{CRDs: []*apiextensionsv1.CustomResourceDefinition{crateDefinition()}},
	}
	config, err := environment.Start()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := environment.Stop(); err != nil {
			t.Error(err)
		}
	})
	serve(t, environment, scheme)
	direct, err := client.New(config, client.Options{Scheme: scheme})
	if err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()

	old := &OldCrate{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "heavy"}, Spec: OldCrateSpec{Grams: 1500}}
	eventually(t, "created in the old version", func(ctx context.Context) (bool, error) {
		err := direct.Create(ctx, old)
		if err != nil && strings.Contains(err.Error(), "conversion webhook") {
			return false, nil
		}
		return err == nil, err
	})
	crate := &Crate{}
	if err := direct.Get(ctx, client.ObjectKeyFromObject(old), crate); err != nil {
		t.Fatal(err)
	}
	if crate.Spec.Weight != "1500g" {
		t.Errorf("in the new version it weighs %q", crate.Spec.Weight)
	}
	crate.Spec.Weight = "1600g"
	if err := direct.Update(ctx, crate); err != nil {
		t.Fatal(err)
	}
	if err := direct.Get(ctx, client.ObjectKeyFromObject(crate), old); err != nil {
		t.Fatal(err)
	}
	if old.Spec.Grams != 1600 {
		t.Errorf("in the old version it weighs %d g", old.Spec.Grams)
	}

	second := &Crate{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "light"}, Spec: CrateSpec{Weight: "20g"}}
	if err := direct.Create(ctx, second); err != nil {
		t.Fatal(err)
	}
	list := &unstructured.UnstructuredList{}
	list.SetGroupVersionKind(oldCrates.WithKind("CrateList"))
	if err := direct.List(ctx, list); err != nil {
		t.Fatal(err)
	}
	weights := map[string]int64{}
	for _, item := range list.Items {
		weights[item.GetName()], _, _ = unstructured.NestedInt64(item.Object, "spec", "grams")
	}
	if len(weights) != 2 || weights["heavy"] != 1600 || weights["light"] != 20 {
		t.Errorf("a list in the old version has %v", weights)
	}

	odd := &Crate{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "odd"}, Spec: CrateSpec{Weight: "a lot"}}
	if err := direct.Create(ctx, odd); err != nil {
		t.Fatal(err)
	}
	err = direct.Get(ctx, client.ObjectKeyFromObject(odd), &OldCrate{})
	if err == nil || !strings.Contains(err.Error(), `the weight "a lot" is no number of grams`) {
		t.Errorf("what cannot be converted is answered: %v", err)
	}
}

// serve starts a manager whose webhook server converts Crates.
func serve(t *testing.T, environment *envtest.Environment, scheme *runtime.Scheme) {
	t.Helper()
	options := environment.WebhookInstallOptions
	manager, err := ctrl.NewManager(environment.Config, ctrl.Options{
		Scheme:  scheme,
		Metrics: server.Options{BindAddress: "0"},
		WebhookServer: webhook.NewServer(webhook.Options{
			Host: options.LocalServingHost, Port: options.LocalServingPort, CertDir: options.LocalServingCertDir,
		}),
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := ctrl.NewWebhookManagedBy(manager, &Crate{}).Complete(); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- manager.Start(ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
}

//! What can be asked for.

use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::header::CONTENT_TYPE;
use axum::http::{HeaderValue, StatusCode, Uri};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::Response;
use axum::routing::{get, post};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use tanglewood::system::TreeClass;
use tokio::time::timeout;

use super::answer::{Answer, Refusal};
use super::body::{self, NoBody};
use super::guard::Guard;
use super::parsing::Parser;
use super::tree_view::Systems;
use super::treebank::Treebank;
use super::workers::Workers;
use super::{assets, export, limits, score_view, tree_view, treebank};

/// What all requests share.
pub struct Explorer {
    pub guard: Guard,
    pub parser: Option<Parser>,
    treebank: Treebank,
    systems: Systems,
    workers: Workers,
}

impl Explorer {
    pub fn new(guard: Guard, parser: Option<Parser>, treebank: Treebank) -> Explorer {
        Explorer { guard, parser, treebank, systems: Systems::new(), workers: Workers::new() }
    }
}

/// All that can be asked for.
pub fn router(explorer: Arc<Explorer>) -> Router {
    let mut router = Router::new()
        .route("/api/tree", post(tree))
        .route("/api/scores", post(scores))
        .route("/api/sentences", post(sentences))
        .route("/api/sentence", post(sentence))
        .route("/api/statistics", post(statistics))
        .route("/api/open", post(open))
        .route("/api/export", post(exported))
        .route("/api/about", get(about))
        .fallback(|| async { refuse(StatusCode::NOT_FOUND, "there is nothing here; the page is at /") })
        .method_not_allowed_fallback(|| async {
            refuse(StatusCode::METHOD_NOT_ALLOWED, "this cannot be asked for in this way")
        });
    for asset in assets::all() {
        router = router.route(asset.path, get(move || async move { asset.response() }));
    }
    router.layer(from_fn_with_state(explorer.clone(), guarded)).with_state(explorer)
}

/// Around every request: who may ask, how long it may take, and what the answer says about itself.
async fn guarded(State(explorer): State<Arc<Explorer>>, request: Request, next: Next) -> Response {
    let mut response = if !explorer.guard.admits(request.headers()) {
        refuse(
            StatusCode::FORBIDDEN,
            "this server answers to its own address only; open it as http://localhost or by its number, or start it with --host NAME",
        )
    } else {
        match timeout(limits::REQUEST_TIME, next.run(request)).await {
            Ok(response) => response,
            Err(_) => refuse(
                StatusCode::SERVICE_UNAVAILABLE,
                "this took too long; try a shorter sentence or a cheaper system",
            ),
        }
    };
    Guard::sign(response.headers_mut());
    response
}

async fn about(State(explorer): State<Arc<Explorer>>) -> Response {
    respond(
        StatusCode::OK,
        &json!({
            "systems": explorer.systems.names(),
            "classes": explorer.systems.names().into_iter().chain(TreeClass::ANY).collect::<Vec<_>>(),
            "model": explorer.parser.is_some(),
            "files": treebank::opened(&explorer.treebank),
            "version": env!("CARGO_PKG_VERSION"),
        }),
    )
}

async fn tree(State(explorer): State<Arc<Explorer>>, request: Request) -> Response {
    let shared = explorer.clone();
    answered(&explorer, request, move |question| {
        tree_view::answer(&shared.systems, shared.parser.as_ref(), question)
    })
    .await
}

async fn scores(State(explorer): State<Arc<Explorer>>, request: Request) -> Response {
    answered(&explorer, request, |question| score_view::answer(&question)).await
}

async fn sentences(State(explorer): State<Arc<Explorer>>, request: Request) -> Response {
    let shared = explorer.clone();
    answered(&explorer, request, move |question| treebank::sentences(&shared.treebank, &question)).await
}

async fn sentence(State(explorer): State<Arc<Explorer>>, request: Request) -> Response {
    let shared = explorer.clone();
    answered(&explorer, request, move |question| treebank::sentence(&shared.treebank, &question)).await
}

async fn statistics(State(explorer): State<Arc<Explorer>>, request: Request) -> Response {
    let shared = explorer.clone();
    answered(&explorer, request, move |question| treebank::statistics(&shared.treebank, &question)).await
}

/// A sentence as a file to be saved.
async fn exported(State(explorer): State<Arc<Explorer>>, request: Request) -> Response {
    let question: export::Question = match question_of(request).await {
        Ok(question) => question,
        Err(response) => return response,
    };
    match explorer.workers.run(move || export::export(&question)).await {
        Some(Ok(file)) => {
            let mut response = Response::new(Body::from(file.bytes));
            response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(file.kind));
            response
        }
        Some(Err(refusal)) => finish(Some(Err(refusal))),
        None => finish(None),
    }
}

/// Takes a file of the reader's, as its bytes. The type of its content is one that forms of other pages cannot send.
async fn open(State(explorer): State<Arc<Explorer>>, uri: Uri, request: Request) -> Response {
    let is_bytes = |kind: &HeaderValue| kind.as_bytes() == b"application/octet-stream";
    if !request.headers().get(CONTENT_TYPE).is_some_and(is_bytes) {
        return refuse(
            StatusCode::UNSUPPORTED_MEDIA_TYPE,
            "expected content of type application/octet-stream",
        );
    }
    let bytes = match body::read(request.into_body(), limits::UPLOAD_BYTES).await {
        Ok(bytes) => bytes,
        Err(NoBody::TooLarge) => {
            let most = limits::UPLOAD_BYTES >> 20;
            let message = format!("a file of more than {most} MiB; start the server with it instead");
            return refuse(StatusCode::PAYLOAD_TOO_LARGE, &message);
        }
        Err(NoBody::Broken) => return refuse(StatusCode::BAD_REQUEST, "the request broke off"),
    };
    let name = uri.query().and_then(|query| query.strip_prefix("name=")).unwrap_or("file").to_owned();
    let shared = explorer.clone();
    let opened = explorer.workers.run(move || treebank::open(&shared.treebank, &name, bytes)).await;
    finish(opened)
}

/// Reads the question, has it answered by a worker, and sends the answer.
async fn answered<Q: DeserializeOwned + Send + 'static>(
    explorer: &Explorer,
    request: Request,
    answer: impl FnOnce(Q) -> Answer + Send + 'static,
) -> Response {
    match question_of(request).await {
        Ok(question) => finish(explorer.workers.run(move || answer(question)).await),
        Err(response) => response,
    }
}

/// The question of a request, or the answer to one that has none.
async fn question_of<Q: DeserializeOwned>(request: Request) -> Result<Q, Response> {
    // Forms of other pages cannot send this type without asking first.
    let is_json = |kind: &HeaderValue| kind.as_bytes().starts_with(b"application/json");
    let typed = request.headers().get(CONTENT_TYPE).is_some_and(is_json);
    let bytes = match body::read(request.into_body(), limits::BODY_BYTES).await {
        Ok(bytes) => bytes,
        Err(NoBody::TooLarge) => {
            let message =
                format!("a request of more than {} bytes; expected a shorter text", limits::BODY_BYTES);
            return Err(refuse(StatusCode::PAYLOAD_TOO_LARGE, &message));
        }
        Err(NoBody::Broken) => return Err(refuse(StatusCode::BAD_REQUEST, "the request broke off")),
    };
    if !typed {
        let message = "expected content of type application/json";
        return Err(refuse(StatusCode::UNSUPPORTED_MEDIA_TYPE, message));
    }
    serde_json::from_slice(&bytes)
        .map_err(|error| refuse(StatusCode::BAD_REQUEST, &format!("not a question: {error}")))
}

/// Sends what a worker has answered, if it has.
fn finish(answer: Option<Answer>) -> Response {
    match answer {
        Some(Ok(answer)) => respond(StatusCode::OK, &answer),
        Some(Err(refusal)) => respond(StatusCode::UNPROCESSABLE_ENTITY, &refusal.to_json()),
        None => refuse(StatusCode::INTERNAL_SERVER_ERROR, "something went wrong here; please report it"),
    }
}

fn refuse(status: StatusCode, message: &str) -> Response {
    respond(status, &Refusal::new(message).to_json())
}

fn respond(status: StatusCode, value: &Value) -> Response {
    let mut response = Response::new(Body::from(value.to_string()));
    *response.status_mut() = status;
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    response
}

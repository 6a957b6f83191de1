//! What can be asked for: the page's files, and the explorer's questions below `/api/`.

use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::header::CONTENT_TYPE;
use axum::http::{HeaderValue, StatusCode};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::Response;
use axum::routing::{get, post};
use tanglewood_explorer::{
    Asset, Content, Explorer, MODEL_AWAITED, Model, QUESTIONS, Refusal, Reply, assets,
};
use tokio::time::timeout;

use super::body::{self, NoBody};
use super::guard::Guard;
use super::limits;
use super::workers::Workers;

/// Reads the model that the explorer waits for.
type ReadModel = fn() -> Result<Model, String>;

/// What all requests share.
pub struct Server {
    guard: Guard,
    explorer: Arc<Explorer>,
    read_model: ReadModel,
    workers: Workers,
}

impl Server {
    /// `read_model` is called when the explorer waits for a model, and somebody needs it.
    pub fn new(guard: Guard, explorer: Explorer, read_model: ReadModel) -> Server {
        Server { guard, explorer: Arc::new(explorer), read_model, workers: Workers::new() }
    }

    /// Has a worker answer.
    async fn answer(&self, question: String, body: Vec<u8>) -> Response {
        let (explorer, read_model) = (self.explorer.clone(), self.read_model);
        match self.workers.run(move || answer(&explorer, read_model, &question, body)).await {
            Some(reply) => respond(reply),
            None => refuse(
                StatusCode::INTERNAL_SERVER_ERROR,
                "something went wrong here; please report it".to_owned(),
            ),
        }
    }
}

/// Asks the explorer, once more if it needs a model first.
fn answer(explorer: &Explorer, read_model: ReadModel, question: &str, body: Vec<u8>) -> Reply {
    // Files that are opened are large, and need no model.
    let again = if body.len() <= Content::Json.limit() { body.clone() } else { Vec::new() };
    let reply = explorer.answer(question, body);
    if reply.status != MODEL_AWAITED {
        return reply;
    }
    match read_model() {
        Ok(model) => {
            explorer.set_model(model);
            explorer.answer(question, again)
        }
        Err(problem) => refusal(StatusCode::INTERNAL_SERVER_ERROR, problem),
    }
}

/// All that can be asked for.
pub fn router(server: Arc<Server>) -> Router {
    let mut router = Router::new()
        .fallback(|| async {
            refuse(StatusCode::NOT_FOUND, "there is nothing here; the page is at /".to_owned())
        })
        .method_not_allowed_fallback(|| async {
            refuse(StatusCode::METHOD_NOT_ALLOWED, "this cannot be asked for in this way".to_owned())
        });
    for (name, content) in QUESTIONS {
        let answered = move |State(server): State<Arc<Server>>, request: Request| async move {
            let query = request.uri().query().map_or_else(String::new, |query| format!("?{query}"));
            match body_of(request, content).await {
                Ok(body) => server.answer(format!("{name}{query}"), body).await,
                Err(response) => response,
            }
        };
        let method = if content == Content::Nothing { get(answered) } else { post(answered) };
        router = router.route(&format!("/api/{name}"), method);
    }
    for asset in assets() {
        router = router.route(asset.path, get(move || async move { file(&asset) }));
    }
    router.layer(from_fn_with_state(server.clone(), guarded)).with_state(server)
}

/// Around every request: who may ask, how long it may take, and what the answer says about itself.
async fn guarded(State(server): State<Arc<Server>>, request: Request, next: Next) -> Response {
    let mut response = if !server.guard.admits(request.headers()) {
        refuse(
            StatusCode::FORBIDDEN,
            "this server answers to its own address only; open it as http://localhost or by its number, or start it with --host NAME".to_owned(),
        )
    } else {
        match timeout(limits::REQUEST_TIME, next.run(request)).await {
            Ok(response) => response,
            Err(_) => refuse(
                StatusCode::SERVICE_UNAVAILABLE,
                "this took too long; try a shorter sentence or a cheaper system".to_owned(),
            ),
        }
    };
    Guard::sign(response.headers_mut());
    response
}

/// The body of a question, or the answer to one that has none. Forms of other pages cannot send content of
/// these types without asking first.
async fn body_of(request: Request, content: Content) -> Result<Vec<u8>, Response> {
    let expected = match content {
        Content::Nothing => return Ok(Vec::new()),
        Content::Json => "application/json",
        Content::Bytes => "application/octet-stream",
    };
    let is_expected = |kind: &HeaderValue| kind.as_bytes().starts_with(expected.as_bytes());
    let typed = request.headers().get(CONTENT_TYPE).is_some_and(is_expected);
    let bytes = match body::read(request.into_body(), content.limit()).await {
        Ok(bytes) => bytes,
        Err(NoBody::TooLarge) => {
            return Err(refuse(StatusCode::PAYLOAD_TOO_LARGE, content.too_large().message));
        }
        Err(NoBody::Broken) => {
            return Err(refuse(StatusCode::BAD_REQUEST, "the request broke off".to_owned()));
        }
    };
    match typed {
        true => Ok(bytes),
        false => {
            Err(refuse(StatusCode::UNSUPPORTED_MEDIA_TYPE, format!("expected content of type {expected}")))
        }
    }
}

fn file(asset: &Asset) -> Response {
    let bytes = asset.content.as_bytes().to_vec();
    respond(Reply { status: 200, kind: asset.kind, bytes })
}

fn refuse(status: StatusCode, message: String) -> Response {
    respond(refusal(status, message))
}

fn refusal(status: StatusCode, message: String) -> Reply {
    let bytes = Refusal::new(message).to_json().to_string().into_bytes();
    Reply { status: status.as_u16(), kind: "application/json", bytes }
}

fn respond(reply: Reply) -> Response {
    let mut response = Response::new(Body::from(reply.bytes));
    *response.status_mut() = StatusCode::from_u16(reply.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(reply.kind));
    response
}
